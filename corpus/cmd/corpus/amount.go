package main

import (
	"strconv"

	"excerpt/internal/size"
)

// amount is a flag.Value: a number of bytes, with a unit or without.
type amount int64

func (a *amount) String() string { return strconv.FormatInt(int64(*a), 10) }

func (a *amount) Set(text string) error {
	n, err := size.Parse(text)
	*a = amount(n)
	return err
}

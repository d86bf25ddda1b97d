package main

import (
	"path/filepath"
	"testing"
)

// TestRendered renders again, and compares with what is committed.
func TestRendered(t *testing.T) {
	if err := run(filepath.Join("..", "..", ".."), true); err != nil {
		t.Error(err)
	}
}

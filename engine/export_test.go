package engine

import (
	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
)

// SetPlan makes the sizes of scans small, so that short files take long ways.
func (f *File) SetPlan(p scan.Plan) { f.plan = p }

// SetSizes makes what is learned of a file small, so that short files have it.
func (f *File) SetSizes(step, near, keep int64) { f.sizes = sizes{step, near, near, keep, 1} }

// SetMapAfter has a file mapped after n bytes of it were read.
func (f *File) SetMapAfter(n int64) { f.snap.src.(*source.File).SetMapAfter(n) }

package engine

import "excerpt/engine/internal/scan"

// SetPlan makes the sizes of scans small, so that short files take long ways.
func (f *File) SetPlan(p scan.Plan) { f.plan = p }

package main

import (
	"bytes"
	"image/color"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"excerpt/bench/peers/internal/records"
)

// colors can be told apart by all (Okabe and Ito).
var colors = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff},
	{0xd5, 0x5e, 0x00, 0xff},
	{0x00, 0x9e, 0x73, 0xff},
	{0xcc, 0x79, 0xa7, 0xff},
	{0xe6, 0x9f, 0x00, 0xff},
	{0x56, 0xb4, 0xe9, 0xff},
	{0x33, 0x33, 0x33, 0xff},
}

var grid = color.RGBA{0xe0, 0xe0, 0xe0, 0xff}

// charts draws all charts, by the names of their files.
func charts(set *records.Set) (map[string][]byte, error) {
	files := map[string][]byte{}
	var err error
	if list := compared(set); len(headlines(list)) > 0 {
		if files["bench/charts/today.svg"], err = bars(list); err != nil {
			return nil, err
		}
	}
	list := of(set, records.Growth)
	for _, over := range names(list) {
		for _, kind := range []string{"time", "bytes"} {
			if files["bench/charts/"+file(over)+"-"+kind+".svg"], err = curves(list, over, kind); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

func file(over string) string { return strings.ReplaceAll(over, " ", "-") }

func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.Padding = vg.Points(8)
	for _, style := range []*text.Style{
		&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle,
	} {
		style.Font.Typeface, style.Font.Variant = "Liberation", "Sans"
		style.Font.Size = font.Length(11)
	}
	p.Title.TextStyle.Font.Size = font.Length(13)
	return p
}

// svg draws a plot. The fonts are such as every reader has.
func svg(p *plot.Plot, width, height vg.Length) ([]byte, error) {
	c := vgsvg.New(width, height)
	p.Draw(draw.Crop(draw.New(c), 0, -vg.Points(30), 0, 0)) // the last tick is wider than what it stands at
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans"), []byte("font-family:Arial,Liberation Sans,sans-serif")), nil
}

// bars draws how many times as fast we are as what is used today, at the
// largest size that there is of each.
func bars(list []records.Measure) ([]byte, error) {
	p := newPlot("How many times as fast as what people use today")
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, decades(factor)
	p.X.Min, p.X.Max = 0.1, 10
	p.HideY()
	var labels []plot.Tick
	sizes := sizes(list)
	y := 0.0
	for _, h := range slices.Backward(headlines(list)) {
		var other *records.Side
		var m *records.Measure
		for i := len(sizes) - 1; other == nil && i >= 0; i-- {
			m = at(list, h.name, sizes[i])
			other = find(m, h.against)
		}
		if other == nil {
			continue
		}
		if other.Wrong != "" || len(other.Times) == 0 {
			continue
		}
		r := records.Ratio(m.Sides[0], *other)
		fill := colors[0]
		if r.Hi < 1 {
			fill = colors[1]
		}
		if err := segment(p, 1, r.Center, y, vg.Points(13), fill); err != nil {
			return nil, err
		}
		if err := segment(p, r.Lo, r.Hi, y, vg.Points(1), color.RGBA{A: 0xff}); err != nil {
			return nil, err
		}
		value, err := plotter.NewLabels(plotter.XYLabels{
			XYs: plotter.XYs{{X: max(r.Hi, 1), Y: y}}, Labels: []string{" " + records.Digits(r.Center) + " ×"},
		})
		if err != nil {
			return nil, err
		}
		value.TextStyle[0] = p.X.Tick.Label
		value.TextStyle[0].XAlign, value.TextStyle[0].YAlign = text.XLeft, text.YCenter
		p.Add(value)
		labels = append(labels, plot.Tick{Value: y, Label: sized(list, h.name) + " (" + other.Name + ")"})
		p.X.Min, p.X.Max = min(p.X.Min, r.Lo/1.5), max(p.X.Max, r.Hi*6)
		y++
	}
	p.Y.Min, p.Y.Max = -0.7, y-0.3
	p.Y.Tick.Marker = plot.ConstantTicks(labels)
	p.Y.Tick.Length = 0
	p.Y.LineStyle.Width = 0
	p.Y.Tick.Label.XAlign = text.XRight
	p.Y.Tick.Label.YAlign = text.YCenter
	if err := segmentUp(p, 1, p.Y.Min, p.Y.Max); err != nil {
		return nil, err
	}
	return svg(p, 11*vg.Inch, vg.Length(y)*vg.Points(21)+vg.Points(70))
}

func segment(p *plot.Plot, from, to, y float64, width vg.Length, c color.Color) error {
	line, err := plotter.NewLine(plotter.XYs{{X: from, Y: y}, {X: to, Y: y}})
	if err != nil {
		return err
	}
	line.Width, line.Color = width, c
	p.Add(line)
	return nil
}

func segmentUp(p *plot.Plot, x, from, to float64) error {
	line, err := plotter.NewLine(plotter.XYs{{X: x, Y: from}, {X: x, Y: to}})
	if err != nil {
		return err
	}
	line.Width = vg.Points(1)
	p.Add(line)
	return nil
}

// curves draws the cost of operations, on two log axes.
func curves(list []records.Measure, over, kind string) ([]byte, error) {
	title := map[string]string{"time": "Time", "bytes": "Bytes touched"}[kind]
	p := newPlot(title + " over " + over)
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Label.Text = map[string]string{"file size": "size of the file", "tail length": "lines of the tail", "line depth": "number of the first line"}[over]
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.Padding = vg.Points(2)
	p.Legend.XOffs, p.Legend.YOffs = vg.Points(8), vg.Points(-4)
	lines := map[string]plotter.XYs{}
	var order []string
	var xs []int64
	for _, m := range list {
		if m.Case != over {
			continue
		}
		xs = append(xs, m.X)
		for _, s := range m.Sides {
			if !slices.Contains(order, s.Name) {
				order = append(order, s.Name) // and so its color, in both charts
			}
			y := s.Time().Center
			if kind == "bytes" {
				if s.Bytes == nil {
					continue
				}
				y = float64(max(1, *s.Bytes))
			}
			lines[s.Name] = append(lines[s.Name], plotter.XY{X: float64(m.X), Y: y})
		}
	}
	slices.Sort(xs)
	p.X.Tick.Marker = ticks(xs, over == "file size")
	p.Y.Tick.Marker = decades(duration)
	if kind == "bytes" {
		p.Y.Tick.Marker = binary{}
	}
	gridded := plotter.NewGrid()
	gridded.Horizontal.Color, gridded.Vertical.Color = grid, grid
	p.Add(gridded)
	least, most := math.Inf(1), 0.0
	for i, name := range order {
		xys := lines[name]
		if len(xys) == 0 {
			continue
		}
		slices.SortFunc(xys, func(a, b plotter.XY) int { return int(math.Copysign(1, a.X-b.X)) })
		line, points, err := plotter.NewLinePoints(xys)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = colors[i%len(colors)], vg.Points(2)
		points.Color, points.Shape, points.Radius = line.Color, draw.CircleGlyph{}, vg.Points(3)
		p.Add(line, points)
		p.Legend.Add(name, line, points)
		for _, xy := range xys {
			least, most = min(least, xy.Y), max(most, xy.Y)
		}
	}
	// A decade of room for the legend, and flat is not stretched.
	p.Y.Min, p.Y.Max = least/2, max(most*4*math.Pow(3, float64(len(order))/2), least*1e4)
	return svg(p, 8*vg.Inch, 4.5*vg.Inch)
}

// decades are ticks at the powers of ten, by a function that names them.
type decades func(float64) string

func (d decades) Ticks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Ceil(math.Log10(least)); e <= math.Floor(math.Log10(most)); e++ {
		v := math.Pow(10, e)
		ticks = append(ticks, plot.Tick{Value: v, Label: d(v)})
	}
	return ticks
}

func duration(v float64) string { return time.Duration(math.Round(v * 1e9)).String() }

func factor(v float64) string { return records.Digits(v) + " ×" }

// binary are ticks at powers of 32, named as sizes.
type binary struct{}

func (binary) Ticks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for v := int64(1); float64(v) <= most; v *= 32 {
		if float64(v) >= least {
			ticks = append(ticks, plot.Tick{Value: float64(v), Label: records.Bytes(v)})
		}
	}
	return ticks
}

// ticks are at the values that were measured.
func ticks(xs []int64, bytes bool) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, x := range slices.Compact(xs) {
		label := records.Digits(float64(x))
		if bytes {
			label = records.Bytes(x)
		}
		ticks = append(ticks, plot.Tick{Value: float64(x), Label: label})
	}
	return ticks
}

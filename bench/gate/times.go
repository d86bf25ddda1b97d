package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchmath"
)

// leastRounds are needed to tell anything.
const leastRounds = 5

// thresholds are those of the test that both samples are of one kind.
var thresholds = &benchmath.Thresholds{CompareAlpha: 0.01}

// The sides of a round. The base is there twice: against itself it shows what
// the machine makes of two sides that are the same.
const (
	baseSide = iota
	selfSide
	headSide
	sides
)

// sample has, for each round, the least time of a benchmark on each side.
type sample [sides][]float64

// times compares the least times of short slices. What seems to be slower is
// measured once more, by itself, and must be slower again.
func (g *gate) times(ctx context.Context) error {
	samples, err := g.measure(ctx, g.names)
	if err != nil {
		return err
	}
	if samples.rounds() == 0 {
		g.note("time: not judged, none was left")
		return nil
	}
	var suspects []string
	noisy := 0
	rows := map[string]*row{}
	for _, name := range g.names {
		r := g.judge(name, samples[name])
		rows[name] = &r
		switch r.verdict {
		case worse:
			suspects = append(suspects, name)
		case unsure:
			noisy++
		}
	}
	g.step("time: %d rounds, %d of %d benchmarks differ from themselves", samples.rounds(), noisy, len(g.names))
	all := func(v verdict, why string) {
		for _, r := range rows {
			r.verdict, r.note = v, why
		}
		g.note("time: not judged, %s", why)
	}
	switch {
	case samples.rounds() < leastRounds:
		all(unsure, fmt.Sprintf("there was time for %d rounds only", samples.rounds()))
	case 4*noisy > len(g.names):
		all(unsure, fmt.Sprintf("the machine is too noisy: %d of %d benchmarks differ from themselves by more than %.0f %%", noisy, len(g.names), 50*(g.timeLimit-1)))
	case suspects != nil:
		again, err := g.measure(ctx, suspects)
		if err != nil {
			return err
		}
		for _, name := range suspects {
			r := rows[name]
			switch second := g.judge(name, again[name]); {
			case again.rounds() < leastRounds:
				r.verdict, r.note = unsure, "no time was left to see it again"
			case second.verdict != worse:
				r.verdict, r.note = unsure, fmt.Sprintf("not seen again: %.3f", second.ratio())
			default:
				r.note = fmt.Sprintf("seen again: %.3f", second.ratio())
			}
		}
		g.step("time: %s measured again", strings.Join(suspects, " "))
	}
	for _, name := range g.names {
		g.rows = append(g.rows, *rows[name])
	}
	return nil
}

type samples map[string]*sample

func (s samples) rounds() int {
	n := 0
	for _, one := range s {
		n = len(one[headSide])
	}
	return n
}

// measure runs all sides and layouts in turn, in another order each round.
func (g *gate) measure(ctx context.Context, names []string) (samples, error) {
	s := samples{}
	for _, name := range names {
		s[name] = new(sample)
	}
	type program struct {
		side int
		path string
	}
	var programs []program
	for seed := 1; seed <= g.seeds; seed++ {
		programs = append(programs, program{baseSide, g.base.programs[seed]}, program{selfSide, g.base.programs[seed]}, program{headSide, g.head.programs[seed]})
	}
	var took time.Duration
	for range g.rounds {
		if g.over(took + 20*time.Second) {
			break
		}
		began := time.Now()
		rand.Shuffle(len(programs), func(i, j int) { programs[i], programs[j] = programs[j], programs[i] })
		round := map[string]*[sides]float64{}
		for _, p := range programs {
			got, _, err := g.run(ctx, p.path, only(names...), "-test.benchtime=1ms", "-test.count=2")
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				if got[name] == nil {
					return nil, fmt.Errorf("%s was not run", name)
				}
				if round[name] == nil {
					round[name] = new([sides]float64)
				}
				t := slices.Min(got[name]["sec/op"])
				if least := &round[name][p.side]; *least == 0 || t < *least {
					*least = t
				}
			}
		}
		for _, name := range names {
			for side := range sides {
				s[name][side] = append(s[name][side], round[name][side])
			}
		}
		took = time.Since(began)
	}
	return s, nil
}

// judge compares the least times of both sides, if those of the base with
// itself are near enough.
func (g *gate) judge(name string, s *sample) row {
	r := row{workload: name, metric: "sec/op", tier: "time"}
	if len(s[headSide]) == 0 {
		r.verdict = unsure
		return r
	}
	base, self := slices.Min(s[baseSide]), slices.Min(s[selfSide])
	r.base, r.head = max(base, self), slices.Min(s[headSide])
	noise := max(base/self, self/base)
	// The halves of the base together are what the head has to differ from.
	before := benchmath.NewSample(append(slices.Clone(s[baseSide]), s[selfSide]...), thresholds)
	after := benchmath.NewSample(slices.Clone(s[headSide]), thresholds)
	c := benchmath.AssumeNothing.Compare(before, after)
	differ := c.P < c.Alpha
	switch {
	case noise-1 > (g.timeLimit-1)/2:
		r.verdict, r.note = unsure, fmt.Sprintf("against itself: %.3f", noise)
	case r.ratio() > g.timeLimit && differ:
		r.verdict = worse
	case min(base, self)/r.head > g.timeLimit && differ:
		r.verdict = better
	}
	return r
}

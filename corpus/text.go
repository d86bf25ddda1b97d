package corpus

// stack appends an application log line or two, or an error with its trace.
func stack(m *maker, b []byte) []byte {
	switch m.below(8) {
	case 0, 1:
		return javaTrace(m, b)
	case 2:
		return pythonTrace(m, b)
	case 3:
		return goTrace(m, b)
	}
	return app(m, b)
}

func failure(m *maker, b []byte) []byte {
	b = append(m.stamp(b), " ERROR ["...)
	b = append(b, m.pick(services)...)
	b = append(b, "] req="...)
	return m.id(b)
}

func javaTrace(m *maker, b []byte) []byte {
	b = failure(m, b)
	b = append(b, " unhandled exception\njava.lang.IllegalStateException: "...)
	b = append(b, m.pick(causes)...)
	b = append(b, '\n')
	for cause := range 1 + m.below(3) {
		if cause > 0 {
			b = append(b, "Caused by: java.io.IOException: "...)
			b = append(b, m.pick(causes)...)
			b = append(b, '\n')
		}
		for range 4 + m.below(24) {
			b = append(b, "\tat com.example."...)
			b = append(b, m.pick(services)...)
			b = append(b, '.')
			b = append(b, m.pick(classes)...)
			b = append(b, '.')
			b = append(b, m.pick(verbs)...)
			b = append(b, '(')
			b = append(b, m.pick(classes)...)
			b = append(b, ".java:"...)
			b = m.number(b, 1200)
			b = append(b, ")\n"...)
		}
	}
	b = append(b, "\t... "...)
	b = m.number(b, 60)
	return append(b, " more\n"...)
}

func pythonTrace(m *maker, b []byte) []byte {
	b = failure(m, b)
	b = append(b, " task raised\nTraceback (most recent call last):\n"...)
	for range 2 + m.below(8) {
		b = append(b, `  File "/srv/app/`...)
		b = append(b, m.pick(services)...)
		b = append(b, `.py", line `...)
		b = m.number(b, 900)
		b = append(b, ", in "...)
		b = append(b, m.pick(verbs)...)
		b = append(b, "\n    return self."...)
		b = append(b, m.pick(verbs)...)
		b = append(b, "("...)
		b = append(b, m.pick(nouns)...)
		b = append(b, ", timeout=30)\n"...)
	}
	b = append(b, "RuntimeError: "...)
	b = append(b, m.pick(causes)...)
	return append(b, '\n')
}

func goTrace(m *maker, b []byte) []byte {
	b = failure(m, b)
	b = append(b, " recovered\npanic: "...)
	b = append(b, m.pick(causes)...)
	b = append(b, "\n\ngoroutine "...)
	b = m.number(b, 100_000)
	b = append(b, " [running]:\n"...)
	for range 3 + m.below(12) {
		b = append(b, "example.com/shop/"...)
		b = append(b, m.pick(services)...)
		b = append(b, ".(*"...)
		b = append(b, m.pick(classes)...)
		b = append(b, ")."...)
		b = append(b, m.pick(verbs)...)
		b = append(b, "(0xc00"...)
		b = m.id(b)[:len(b)+7] // as long as addresses are
		b = append(b, ")\n\t/src/shop/"...)
		b = append(b, m.pick(services)...)
		b = append(b, ".go:"...)
		b = m.number(b, 900)
		b = append(b, " +0x1d\n"...)
	}
	return append(b, '\n')
}

// script appends a log line of phrases in many scripts.
func script(m *maker, b []byte) []byte {
	b = append(m.stamp(b), ' ')
	b = append(b, m.pick(names)...)
	b = append(b, ": "...)
	for range 1 + m.below(3) {
		b = scriptAtom(m, b)
	}
	return append(b, '\n')
}

func scriptOpen(m *maker, b []byte) []byte {
	return append(m.stamp(b), " 日志: "...)
}

// scriptAtom appends three phrases, and a space after each.
func scriptAtom(m *maker, b []byte) []byte {
	x := m.pcg.Uint64()
	for range 3 {
		b = append(b, phrases[x%uint64(len(phrases))]...)
		b = append(b, ' ')
		x >>= 20
	}
	return b
}

// invalid appends an application log line, often one with bad bytes in it.
func invalid(m *maker, b []byte) []byte {
	if m.below(2) == 0 {
		return app(m, b)
	}
	b = append(m.stamp(b), " WARN  [import] name="...)
	b = append(b, m.pick(names)...)
	b = append(b, m.pick(broken)...)
	b = append(b, m.pick(names)...)
	b = append(b, " raw="...)
	for range 1 + m.below(3) {
		b = invalidAtom(m, b)
	}
	return append(b, '\n')
}

func invalidOpen(m *maker, b []byte) []byte {
	return append(m.stamp(b), " WARN  [import] raw=\xff"...)
}

func invalidAtom(m *maker, b []byte) []byte {
	b = m.id(b)
	return append(b, m.pick(broken)...)
}

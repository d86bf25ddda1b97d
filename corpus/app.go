package corpus

import "strconv"

// app appends a line of an application log.
func app(m *maker, b []byte) []byte {
	b = m.stamp(b)
	switch m.below(16) {
	case 0, 1, 2, 3, 4:
		b = request(m, append(b, " INFO  [http-"...))
	case 5, 6, 7:
		b = append(b, " DEBUG [http-"...)
		b = m.number(b, 64)
		b = append(b, "] cache hit key=session:"...)
		b = m.id(b)
		b = append(b, " ttl="...)
		b = m.number(b, 3600)
		b = append(b, 's')
	case 8, 9:
		b = append(b, " DEBUG [db-"...)
		b = m.number(b, 16)
		b = append(b, "] SELECT id, state, total FROM "...)
		b = append(b, m.pick(nouns)...)
		b = append(b, " WHERE customer_id = "...)
		b = m.number(b, 1_000_000)
		b = append(b, " ORDER BY created_at DESC LIMIT 50; rows="...)
		b = m.number(b, 51)
		b = append(b, " took="...)
		b = m.number(b, 90_000)
		b = append(b, "us"...)
	case 10, 11:
		b = append(b, " INFO  [worker-"...)
		b = m.number(b, 32)
		b = append(b, "] job finished id="...)
		b = m.id(b)
		b = append(b, " queue="...)
		b = append(b, m.pick(nouns)...)
		b = append(b, " attempts="...)
		b = m.number(b, 5)
	case 12:
		b = append(b, " INFO  [main] heartbeat"...)
	case 13:
		b = append(b, " WARN  [http-"...)
		b = m.number(b, 64)
		b = append(b, "] retrying upstream="...)
		b = append(b, m.pick(services)...)
		b = append(b, " req="...)
		b = m.id(b)
		b = append(b, " cause="...)
		b = strconv.AppendQuote(b, m.pick(causes))
	case 14:
		b = append(b, " ERROR [http-"...)
		b = m.number(b, 64)
		b = append(b, "] req="...)
		b = m.id(b)
		b = append(b, " service="...)
		b = append(b, m.pick(services)...)
		b = append(b, " failed: "...)
		b = append(b, m.pick(causes)...)
	case 15:
		b = append(b, " TRACE [net] recv "...)
		for range 1 + m.below(24) {
			b = m.id(b)
		}
	}
	return append(b, m.eol...)
}

func request(m *maker, b []byte) []byte {
	b = m.number(b, 64)
	b = append(b, "] req="...)
	b = m.id(b)
	b = append(b, " user="...)
	b = m.number(b, 1_000_000)
	b = append(b, ' ')
	b = append(b, m.pick(methods)...)
	b = target(m, b)
	b = append(b, " status="...)
	b = append(b, m.pick(statuses)...)
	b = append(b, " bytes="...)
	b = m.number(b, 1<<20)
	b = append(b, " dur="...)
	b = m.number(b, 4000)
	return append(b, "ms"...)
}

// target appends the path of a request, with a space before it.
func target(m *maker, b []byte) []byte {
	b = append(b, " /"...)
	b = append(b, m.pick(areas)...)
	b = append(b, m.pick(nouns)...)
	switch m.below(4) {
	case 0:
		return b
	case 1:
		b = append(b, "?page="...)
		b = m.number(b, 500)
		return append(b, "&sort=created_at"...)
	}
	b = append(b, '/')
	return m.number(b, 10_000_000)
}

func appOpen(m *maker, b []byte) []byte {
	return append(m.stamp(b), " TRACE [net] recv "...)
}

// digit appends one hexadecimal digit.
func digit(m *maker, b []byte) []byte {
	return append(b, hex[m.below(16)])
}

func access(m *maker, b []byte) []byte {
	b = strconv.AppendUint(b, 1+m.below(223), 10)
	for range 3 {
		b = append(b, '.')
		b = strconv.AppendUint(b, m.below(256), 10)
	}
	b = append(b, " - "...)
	b = append(b, m.pick(users)...)
	b = append(b, " ["...)
	b, _ = m.day(b)
	b = append(b, "] \""...)
	b = append(b, m.pick(methods)...)
	b = target(m, b)
	b = append(b, " HTTP/1.1\" "...)
	b = append(b, m.pick(statuses)...)
	b = append(b, ' ')
	b = m.number(b, 1<<20)
	b = append(b, " \""...)
	b = append(b, m.pick(referers)...)
	b = append(b, "\" \""...)
	b = append(b, m.pick(agents)...)
	return append(b, "\"\n"...)
}

const accessClosing = ` HTTP/1.1" 200 512 "-" "curl/8.5.0"`

func accessOpen(m *maker, b []byte) []byte {
	b, _ = m.day(append(b, "198.51.100.7 - - ["...))
	return append(b, `] "GET /search?q=`...)
}

func jsonRecord(m *maker, b []byte) []byte {
	b = append(b, `{"ts":"`...)
	b = m.stamp(b)
	event := m.below(4)
	level := "info"
	if event == 0 {
		level = m.pick(alarms)
	}
	b = append(b, `","level":"`...)
	b = append(b, level...)
	b = append(b, `","service":"`...)
	b = append(b, m.pick(services)...)
	b = append(b, `","trace":"`...)
	b = m.id(b)
	switch event {
	case 0:
		b = append(b, `","msg":"request failed","error":"`...)
		b = append(b, m.pick(causes)...)
		b = append(b, `","retry":true,"attempt":`...)
		b = m.number(b, 6)
	case 1:
		b = append(b, `","msg":"user signed in","user":{"id":`...)
		b = m.number(b, 1_000_000)
		b = append(b, `,"name":"`...)
		b = append(b, m.pick(names)...)
		b = append(b, `","roles":["viewer","editor"]},"mfa":null,"note":"caf\u00e9 \"b\u00fcro\"\n"`...)
	default:
		b = append(b, `","msg":"request done","http":{"method":"`...)
		b = append(b, m.pick(methods)...)
		b = append(b, `","path":"/`...)
		b = append(b, m.pick(areas)...)
		b = append(b, m.pick(nouns)...)
		b = append(b, `","status":`...)
		b = append(b, m.pick(statuses)...)
		b = append(b, `},"bytes":`...)
		b = m.number(b, 1<<20)
		b = append(b, `,"dur_us":`...)
		b = m.number(b, 4_000_000)
	}
	return append(b, "}\n"...)
}

func jsonOpen(m *maker, b []byte) []byte {
	b = m.stamp(append(b, `{"ts":"`...))
	return append(b, `","level":"debug","msg":"packet","data":"`...)
}

// Lines of the kind "long" are application log lines that carry a JSON array.

func batchOpen(m *maker, b []byte) []byte {
	return append(m.stamp(b), " DEBUG [batch] rows=["...)
}

func arrayOpen(_ *maker, b []byte) []byte {
	return append(b, '[')
}

func batchAtom(m *maker, b []byte) []byte {
	b = append(b, `{"id":"`...)
	b = m.id(b)
	b = append(b, `","name":"`...)
	b = append(b, m.pick(names)...)
	b = append(b, `","item":"`...)
	b = append(b, m.pick(nouns)...)
	b = append(b, `","total":`...)
	b = m.number(b, 1_000_000)
	return append(b, "},"...)
}

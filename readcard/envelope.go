package readcard

import "strings"

// Envelope returns content between the tags that [Present] takes off.
func Envelope(path, content string) string {
	return "<path>" + path + "</path>\n<type>file</type>\n<content>\n" + content + "\n</content>"
}

// strip returns the content of an envelope of path, with line ends between its
// tags or without.
func strip(text, path string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimRight(text, "\r\n"), "<path>"+path+"</path>")
	if !ok {
		return "", false
	}
	for _, tag := range []string{"<type>file</type>", "<content>"} {
		if rest, ok = strings.CutPrefix(strings.TrimPrefix(rest, "\n"), tag); !ok {
			return "", false
		}
	}
	if rest, ok = strings.CutSuffix(rest, "</content>"); !ok {
		return "", false
	}
	return strings.TrimSuffix(strings.TrimPrefix(rest, "\n"), "\n"), true
}

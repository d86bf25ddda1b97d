package readcard

import "strings"

// Envelope returns content between the tags that [Present] takes off.
func Envelope(path, content string) string {
	return "<path>" + path + "</path>\n<type>file</type>\n<content>\n" + content + "\n</content>"
}

// strip returns the content of an envelope, with line ends between its tags or
// without. A path may look like a tag, so that the window's is tried first.
func strip(text, path string) (string, bool) {
	text, ok := strings.CutPrefix(strings.TrimRight(text, "\r\n"), "<path>")
	if !ok {
		return "", false
	}
	rest, ok := strings.CutPrefix(text, path+"</path>")
	if !ok {
		if _, rest, ok = strings.Cut(text, "</path>"); !ok {
			return "", false
		}
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

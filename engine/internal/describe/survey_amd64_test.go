package describe

import "testing"

// TestWithoutAVX2 runs tests as if there were no AVX2.
func TestWithoutAVX2(t *testing.T) {
	if !avx2() {
		t.Skip("there is none")
	}
	hasAVX2 = false
	t.Cleanup(func() { hasAVX2 = true }) // when the tests below, which are parallel, have ended
	for name, test := range map[string]func(*testing.T){
		"survey": TestSurvey, "signs": TestSigns, "valid": TestValid, "any text": TestAnyText,
	} {
		t.Run(name, test)
	}
}

package printable

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// A hostile title: escape sequences, a carriage return, a bell, DEL, C1, a change of
// direction, and bytes that are not UTF-8.
const hostile = "a\x1b[2J\x1b]0;x\ab\r\x7f\u009b1m\u202ec\xff\u2028"

func TestTextHasNoControlCharacters(t *testing.T) {
	for in, want := range map[string]string{
		hostile:             "a?[2J?]0;x?b???1m?c??",
		"± – é 漢 ■\n\tnext": "± – é 漢 ■\n\tnext",
	} {
		if got := strings.Map(replaced, in); got != want {
			t.Errorf("%q is printed as %q, want %q", in, got, want)
		}
		for cut := range len(in) {
			var out bytes.Buffer
			w := NewWriter(&out)
			for _, part := range []string{in[:cut], in[cut:], "."} {
				if n, err := io.WriteString(w, part); n != len(part) || err != nil {
					t.Fatal(n, err)
				}
			}
			if out.String() != want+"." {
				t.Errorf("%q, divided after byte %d, is written as %q", in, cut, out.String())
			}
		}
	}
}

func TestStringsOfJSONHaveNoControlCharacters(t *testing.T) {
	for in, want := range map[string]string{
		`"a\u001b[2J\n\tb\u009B\u202e\u000a\u007f"`:    "a?[2J  b????",
		`"C:\\u001b \\\u001b \\n é\u00e9\ud83d\ude00"`: `C:\u001b \? \n éé😀`,
		"\"\u009b\u202e\x7f\xff\"":                     "????",
	} {
		var got string
		if err := json.Unmarshal(JSON([]byte(in)), &got); err != nil || got != want {
			t.Errorf("%s is read as %q (%v), want %q", in, got, err, want)
		}
	}
	long := []byte("{\n\t\"a\": \"b \\\" c\"\n}\n")
	if got := JSON(long); !bytes.Equal(got, long) {
		t.Errorf("%s becomes %s", long, got)
	}
}

func TestAWriterRemembersItsFirstError(t *testing.T) {
	full := errors.New("full")
	w := NewWriter(failing{full})
	for range 2 {
		if _, err := io.WriteString(w, "x"); !errors.Is(err, full) || !errors.Is(w.Err(), full) {
			t.Errorf("%v, %v", err, w.Err())
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestAWriterToABuffer(t *testing.T) {
	w := NewWriter(new(bytes.Buffer))
	if _, terminal := Terminal(w); terminal || Raw(NewWriter(os.Stdout)) != os.Stdout {
		t.Error("what a writer writes to")
	}
}

func TestWrapBreaksBetweenWords(t *testing.T) {
	for _, c := range []struct {
		text        string
		width, hang int
		want        string
	}{
		{"short\nlines stay", 10, 2, "short\nlines stay"},
		{"one two three four", 9, 0, "one two\nthree\nfour"},
		{"a incomprehensibilities b", 10, 1, "a\n incomprehensibilities\n b"},
		{"ä ö ü ß", 7, 0, "ä ö ü ß"},
		{"ä ö ü ß", 3, 0, "ä ö\nü ß"},
		{"", 5, 0, ""},
	} {
		if got := Wrap(c.text, c.width, c.hang); got != c.want {
			t.Errorf("Wrap(%q, %d, %d) = %q, want %q", c.text, c.width, c.hang, got, c.want)
		}
	}
}

func TestSizesAreReadable(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1536: "1.5 KiB", 15719851: "15.0 MiB", 5 << 40: "5.0 TiB", 5 << 50: "5120.0 TiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

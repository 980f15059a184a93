// Reads a JSON list of texts, and answers with the documents that kubectl reads in each.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

type answer struct {
	Documents []json.RawMessage `json:"documents"`
	Refused   string            `json:"refused,omitempty"`
}

func read(text string) (found answer) {
	found.Documents = []json.RawMessage{}
	defer func() {
		if reason := recover(); reason != nil {
			found.Refused = fmt.Sprint(reason)
		}
	}()
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		var document json.RawMessage
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return found
		} else if err != nil {
			found.Refused = err.Error()
			return found
		}
		found.Documents = append(found.Documents, document)
	}
}

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	answers := make([]answer, len(texts))
	for position, text := range texts {
		answers[position] = read(text)
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}

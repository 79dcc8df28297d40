package simulation

import (
	"bytes"
	"fmt"

	"schedgap/models"
)

// Decide has a command solve the instance of a moment: the instance file goes out, a solution file
// comes back. Nothing of the future is in the instance.
func Decide[I models.Instance, S any](p *models.Problem[I, S], in I, ask models.Ask) (S, error) {
	var none S
	question, err := p.MarshalInstance(in)
	if err != nil {
		return none, err
	}
	answer, err := ask(bytes.TrimSpace(question))
	if err != nil {
		return none, err
	}
	sf, err := p.ParseSolution("the answer", answer, in)
	return sf.Solution, err
}

// AnswerError says of an error that it is in the answer.
func AnswerError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the answer: %w", err)
}

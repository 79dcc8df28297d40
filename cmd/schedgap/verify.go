package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"schedgap/models/proof"
)

// proofVerdict is what verify prints.
type proofVerdict struct {
	Problem   string   `json:"problem"`
	Instance  string   `json:"instance"`
	Reference string   `json:"reference"`
	Value     *float64 `json:"value"`
	Bound     *float64 `json:"bound"`
	Verified  bool     `json:"verified"`
	Reason    *string  `json:"reason"` // why not; null when verified
}

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify INSTANCE.json PROOF",
		Short: "Check the proof of an optimum or a bound independently of how it was found",
		Long: "Evaluates a proof again, from the instance and the definition of the problem alone, with every operation rounded so that\n" +
			"nothing more is proven than is true. A proof that claims a value claims that it is optimal, others claim the bound alone. Proofs\n" +
			"are written by solve --proof, and by run --proofs into DIR/proofs. Exit code 1 when the proof does not prove what it claims.",
		Example: "  schedgap verify instances/flex-000.json flex-000.proof.gz",
		Args:    positional("INSTANCE.json", "PROOF"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := a.readInstance(args[0])
			if err != nil {
				return err
			}
			data, err := readFile(args[1])
			if err != nil {
				return err
			}
			p, err := proof.Read(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[1], err)
			}
			v := proofVerdict{
				Problem: in.Problem.Name, Instance: in.Name, Reference: p.Header.Reference, Value: p.Header.Value, Bound: p.Header.Bound,
				Verified: true,
			}
			verdict := make(chan error, 1)
			go func() { verdict <- in.Problem.Verify(in, p) }() // which may take long and has no end of its own
			select {
			case err = <-verdict:
			case <-cmd.Context().Done():
				return cmd.Context().Err()
			}
			if err != nil {
				reason := err.Error()
				v.Verified, v.Reason = false, &reason
			}
			if err := a.printJSON(v); err != nil {
				return err
			}
			if !v.Verified {
				return &exit{code: exitFailed}
			}
			return nil
		},
	}
}

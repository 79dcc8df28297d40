package main

import (
	"github.com/spf13/cobra"

	"schedgap/exact/verify/referee"
)

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
			v, err := referee.Verify(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			return a.judged(v, v.Verified)
		},
	}
}

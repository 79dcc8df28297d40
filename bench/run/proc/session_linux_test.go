package proc

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"schedgap/models/fail"
)

const (
	helperEnv = "SCHEDGAP_TEST_HELPER"
	hoard     = 64 << 20
	told      = 3 // the file that the child closes when it has told its number
)

// As a helper, this binary starts a child in another process group and stays, or leaves when the child has told its number; as the
// child, it takes memory, tells its number, closes file 3 and stays.
func TestMain(m *testing.M) {
	switch how := os.Getenv(helperEnv); how {
	case "":
		os.Exit(m.Run())
	case "child":
		block := make([]byte, hoard)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		fmt.Println(os.Getpid())
		os.NewFile(told, "").Close()
		time.Sleep(time.Hour)
		fmt.Println(len(block))
	default:
		next := map[string]string{"daemon": "between", "daemon leave": "between"}[how]
		if next == "" {
			next = "child"
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env, cmd.Stdout = append(os.Environ(), helperEnv+"="+next), os.Stdout
		own := how == "session" || next == "between" || how == "between"
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: !own, Setsid: own}
		var silent, tells *os.File
		if how == "between" {
			tells = os.NewFile(told, "")
		} else {
			var err error
			silent, tells, err = os.Pipe()
			if err != nil {
				panic(err)
			}
		}
		cmd.ExtraFiles = []*os.File{tells}
		if err := cmd.Start(); err != nil {
			fmt.Println(err)
		}
		tells.Close()
		if how == "between" {
			os.Exit(0) // the child is a daemon now: of another session, and init's
		}
		if strings.HasSuffix(how, "leave") {
			_, _ = io.ReadAll(silent) // until the child has closed its end
			os.Exit(0)
		}
		time.Sleep(time.Hour)
	}
}

// Children in another process group, or even in another session, count for the memory and die with the leader, as do those
// that the leader leaves behind. Daemons, which left both the session and their parent, die too.
func TestOtherGroups(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{
		"stay": unix.SIGKILL, "session": unix.SIGTERM, "leave": 0, "daemon": unix.SIGKILL, "daemon leave": 0,
	} {
		t.Run(name, func(t *testing.T) {
			r, w, err := os.Pipe()
			fail.On(t, err)
			defer r.Close()
			cmd := exec.Command(os.Args[0])
			cmd.Env, cmd.Stdout = append(os.Environ(), helperEnv+"="+name), w
			p, err := Start(cmd, Options{})
			w.Close()
			fail.On(t, err)
			line, err := bufio.NewReader(r).ReadString('\n')
			fail.On(t, err)
			child, err := strconv.Atoi(strings.TrimSpace(line))
			fail.On(t, err)
			if signal != 0 {
				if rss := p.Usage().RSS; rss < hoard && name != "daemon" {
					t.Errorf("%d resident bytes, the child alone has %d", rss, hoard)
				}
				p.Signal(signal)
			}
			if _, err := p.Wait(); err != nil {
				t.Error(err)
			}
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
			// A daemon that is dying has no environment any more, so that nobody waits for its end.
			waited := signal != unix.SIGTERM && !strings.HasPrefix(name, "daemon")
			if err == nil && !strings.Contains(string(stat), ") Z ") && waited {
				t.Errorf("the child lives on: %s", stat)
			}
			for err == nil && !strings.Contains(string(stat), ") Z ") { // hangs if it lives on
				stat, err = os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
			}
		})
	}
}

// TestStartsBesideEnds: a process that begins while another's session is cleared up is not taken for an orphan, nor is one that
// somebody else in this program started.
func TestStartsBesideEnds(t *testing.T) {
	if err := Adopt(); err != nil {
		t.Skipf("needs a kernel that lets a process adopt orphans: %v", err)
	}
	var group errgroup.Group
	for i := range 6 {
		group.Go(func() error {
			for range 40 {
				cmd := exec.Command("sleep", "0.002")
				if i%2 == 0 {
					if err := cmd.Run(); err != nil {
						return fmt.Errorf("a child of the program's own: %w", err)
					}
					continue
				}
				p, err := Start(cmd, Options{})
				if err != nil {
					return err
				}
				if state, err := p.Wait(); err != nil || !state.Success() {
					return fmt.Errorf("%v %v", state, err)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

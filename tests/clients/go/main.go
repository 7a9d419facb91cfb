// go-git as a client: clone URL DIR | fetch URL DIR | push URL DIR PATH.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(step, url, dir string, rest []string) error {
	if step == "clone" {
		_, err := git.PlainClone(dir, false, &git.CloneOptions{URL: url})
		return err
	}
	repo, err := git.PlainOpen(dir)
	if err != nil {
		return err
	}
	tree, err := repo.Worktree()
	if err != nil {
		return err
	}
	if step == "fetch" {
		return tree.Pull(&git.PullOptions{RemoteName: "origin"})
	}
	if err := os.WriteFile(filepath.Join(dir, rest[0]), []byte("by go-git\n"), 0o644); err != nil {
		return err
	}
	if _, err := tree.Add(rest[0]); err != nil {
		return err
	}
	person := &object.Signature{Name: "Go", Email: "go@example.org", When: time.Now()}
	if _, err := tree.Commit("by go-git\n", &git.CommitOptions{Author: person}); err != nil {
		return err
	}
	return repo.Push(&git.PushOptions{RemoteName: "origin"})
}

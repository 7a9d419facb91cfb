"""pygit2 (libgit2) as a client: clone URL DIR | fetch URL DIR | push URL DIR PATH."""

import os
import sys

import pygit2

step, url, folder = sys.argv[1:4]

if step == "clone":
    pygit2.clone_repository(url, folder)
elif step == "fetch":
    repo = pygit2.Repository(folder)
    repo.remotes["origin"].fetch()
    tip = repo.references["refs/remotes/origin/main"].target
    repo.checkout_tree(repo[tip])
    repo.references["refs/heads/main"].set_target(tip)
    repo.head.set_target(tip)
else:
    path = sys.argv[4]
    with open(os.path.join(folder, path), "w") as out:
        out.write("by pygit2\n")
    repo = pygit2.Repository(folder)
    repo.index.add(path)
    repo.index.write()
    person = pygit2.Signature("Pygit", "pygit@example.org")
    tree = repo.index.write_tree()
    repo.create_commit("refs/heads/main", person, person, "by pygit2\n", tree, [repo.head.target])
    refused = []

    class Callbacks(pygit2.RemoteCallbacks):
        def push_update_reference(self, refname, message):
            if message:
                refused.append(f"{refname}: {message}")

    repo.remotes["origin"].push(["refs/heads/main"], callbacks=Callbacks())
    if refused:
        sys.exit("; ".join(refused))

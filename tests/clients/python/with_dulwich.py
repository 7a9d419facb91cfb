"""dulwich as a client: clone URL DIR | fetch URL DIR | push URL DIR PATH."""

import os
import sys

from dulwich import porcelain
from dulwich.repo import Repo

PERSON = b"Dulwich <dulwich@example.org>"
step, url, folder = sys.argv[1:4]

if step == "clone":
    porcelain.clone(url, folder, branch=b"main").close()
elif step == "fetch":
    porcelain.pull(folder, url, b"refs/heads/main", fast_forward=True)
else:
    path = sys.argv[4]
    with open(os.path.join(folder, path), "w") as out:
        out.write("by dulwich\n")
    with Repo(folder) as repo:
        porcelain.add(repo, [os.path.join(folder, path)])
        porcelain.commit(repo, message=b"by dulwich", author=PERSON, committer=PERSON)
        porcelain.push(repo, url, b"refs/heads/main:refs/heads/main")

/**
 * Every job, by name. Modules load in the worker on first use, so that a worker holds only what it needs.
 * A job module exports `run(input, context)`; see job.ts.
 */
export const jobs = {
  /** Returns its input; lets tests and `doctor` check that workers run in this executable. */
  "workers.echo": () => import("./echo.job.ts"),
  /** Computes for a given time; lets tests check that deadlines are enforced in this executable. */
  "workers.burn": () => import("./burn.job.ts"),
  /** Holds a lock until it is aborted, or longer; lets tests check what an aborted job leaves behind. */
  "workers.hold": () => import("./hold.job.ts"),
  /** Answers a fetch: negotiation and pack. */
  "git.fetch": () => import("../git/transport/upload/fetch.job.ts"),
  /** Answers one round of a negotiation on a connection. */
  "git.negotiate": () => import("../git/transport/upload/negotiate.job.ts"),
  /** Renders documents to safe HTML: Markdown that is long or has highlighted code, Org, notebooks. */
  "markup.document": () => import("../markup/document.job.ts"),
  /** Finds references in the messages of pushed commits. */
  "issues.commits": () => import("../issues/references/commits.job.ts"),
  /** Finds references in a long text. */
  "references.read": () => import("../references/read.job.ts"),
  /** Highlights a file as a single piece of HTML. */
  "markup.code": () => import("../markup/code.job.ts"),
  /** Reads an uploaded block of OpenPGP keys. */
  "keys.readGpg": () => import("../keys/gpg/read.job.ts"),
  /** Reads the fields of commit and tag signatures, without verifying them. */
  "keys.inspectSignatures": () => import("../keys/verification/inspect.job.ts"),
  /** Verifies signatures against OpenPGP keys. */
  "keys.checkGpg": () => import("../keys/gpg/check.job.ts"),
  /** Parses a package's YAML document. */
  "packages.yaml": () => import("../packages/registries/yaml.job.ts"),
  /** Parses a package's XML document. */
  "packages.xml": () => import("../packages/registries/xml.job.ts"),
  /** Unpacks bzip2 or xz. */
  "packages.unpack": () => import("../packages/registries/archives/unpack.job.ts"),
  "packages.packXz": () => import("../packages/registries/archives/pack-xz.job.ts"),
  /** Generates a key pair with which a registry signs. */
  "packages.newKey": () => import("../packages/new-key.job.ts"),
  "packages.sign": () => import("../packages/sign.job.ts"),
  /** Compresses a document with bzip2. */
  "packages.packBzip2": () => import("../packages/registries/archives/pack-bzip2.job.ts"),
  /** Reads the long header of an rpm package. */
  "packages.rpm": () => import("../packages/registries/rpm/read.job.ts"),
  /** Builds a metadata document of an rpm repository. */
  "packages.rpmDocument": () => import("../packages/registries/rpm/document.job.ts"),
  /** Reads an Arch package. */
  "packages.arch": () => import("../packages/registries/arch/read.job.ts"),
  /** Builds the database of an Arch repository. */
  "packages.archDatabase": () => import("../packages/registries/arch/database.job.ts"),
  /** Parses a large JSON body. */
  "http.json": () => import("../http/json.job.ts"),
  /** Highlights the lines of a file. */
  "markup.highlight": () => import("../markup/highlight.job.ts"),
  /** Renders an uploaded picture as square images in Hearth's own format. */
  "avatars.render": () => import("../avatars/render.job.ts"),
  /** Reads an object that is too expensive to read on the main thread. */
  "git.object": () => import("../git/odb/object.job.ts"),
  /** Creates a bare repository. */
  "git.create": () => import("../git/odb/create.job.ts"),
  /** Stores loose objects. */
  "git.store": () => import("../git/odb/store.job.ts"),
  /** Streams the content of a large object. */
  "git.blobStream": () => import("../git/odb/blob-stream.job.ts"),
  /** Determines what a push or an edit would change, before it takes effect. */
  "git.inspect": () => import("../git/inspect/inspect.job.ts"),
  /** Determines what to request from another server. */
  "git.negotiation": () => import("../git/client/negotiation.job.ts"),
  /** Streams the pack of objects that another server lacks. */
  "git.pack": () => import("../git/client/pack.job.ts"),
  /** Creates the first commit of a repository from a template. */
  "generation.expand": () => import("../generation/expand.job.ts"),
  /** Moves a verified pack into the store. */
  "git.admit": () => import("../git/receive/admit.job.ts"),
  /** Peels tags. */
  "refs.peel": () => import("../repos/refs/peel.job.ts"),
  /** Writes a repository's refs to its directory. */
  "refs.project": () => import("../repos/refs/projection.job.ts"),
  /** Receives a pack into quarantine and verifies it. */
  "git.receive": () => import("../git/transport/receive/receive.job.ts"),
  /** Repacks small packs and loose objects into one pack, or does full maintenance of a repository. */
  "git.maintenance": () => import("../git/maintenance/maintenance.job.ts"),
  /** Determines which replaced packs and old objects can be removed. */
  "git.planPrune": () => import("../git/maintenance/plan-prune.job.ts"),
  /** Copies objects from one repository to another on this disk. */
  "git.fetchLocally": () => import("../git/local-fetch/local-fetch.job.ts"),
  /** Finds the paths of an LFS file's pointers on some branches. */
  "lfs.pointerPaths": () => import("../lfs/pointers/paths.job.ts"),
  /** Finds the LFS pointers reachable from some objects. */
  "git.lfsPointers": () => import("../git/lfs/find-pointers.job.ts"),
  /** Finds the packs all of whose objects are reachable from refs. */
  "git.reachablePacks": () => import("../git/transport/upload/reachable-packs.job.ts"),
  /** Whether some objects are reachable from refs. */
  "git.reachable": () => import("../git/transport/upload/reachable.job.ts"),
  /** Verifies everything that a repository stores. */
  "git.scrub": () => import("../git/scrub/scrub.job.ts"),
  /** Verifies uploaded files. */
  "blobs.verify": () => import("../blobs/verify.job.ts"),
  /** Updates a commit-graph after a push. */
  "git.graph": () => import("../git/graph/graph.job.ts"),
  /** Determines what some commits changed. */
  "content.changes": () => import("../content/history/changes.job.ts"),
  /** Blames a file, with the commits, for a page. */
  "content.blame": () => import("../content/blame/blame.job.ts"),
  /** Updates the code search index to a commit of a repository. */
  "search.index": () => import("../search/index.job.ts"),
  /** Finds issues and pull requests whose text contains some words. */
  "issues.findTexts": () => import("../issues/list/texts.job.ts"),
  /** Searches the code index. */
  "search.code": () => import("../search/search.job.ts"),
  /** Compares a commit of a fork with one of its base repository. */
  "content.compareAcross": () => import("../content/compare/across.job.ts"),
  /** Reads a git directory that was not created by Hearth. */
  "repos.readFolder": () => import("../repos/adoption/read.job.ts"),
  /** Draws a page of the branch graph. */
  "content.graph": () => import("../content/graph/graph.job.ts"),
  /** Diffs some of the files of a change, for a page. */
  "content.diff": () => import("../content/history/diff.job.ts"),
  /** Converts a long rendered text to the API's form. */
  "site.apiHtml": () => import("../site/rendering/html.job.ts"),
  /** Finds the wiki pages that contain some words. */
  "wiki.search": () => import("../wiki/search.job.ts"),
  /** Lists the entries of a large directory. */
  "content.listing": () => import("../content/files/listing.job.ts"),
  /** Lists the file paths of a large tree. */
  "content.paths": () => import("../content/files/paths.job.ts"),
  /** Lists a page of a large tree. */
  "content.tree": () => import("../content/git/tree.job.ts"),
  /** Lists many branches or tags with their dates. */
  "content.datedRefs": () => import("../content/refs/dated.job.ts"),
  /** Streams many refs in the API's form. */
  "content.refListing": () => import("../content/refs/listing.job.ts"),
  /** Finds which of many branches and tags contain a commit. */
  "content.refsHolding": () => import("../content/refs/holding.job.ts"),
  /** Applies a patch, or the change of another commit, to a tree. */
  "content.change": () => import("../content/edits/change.job.ts"),
  /** Determines what an edit would change in a file. */
  "content.preview": () => import("../content/edits/preview.job.ts"),
  /** Merges two users' changes to a text. */
  "content.mergeTexts": () => import("../content/edits/merge-texts.job.ts"),
  /** Lists a page of history between dates. */
  "content.history": () => import("../content/history/page.job.ts"),
  /** Diffs two trees, for a page. */
  "git.diff": () => import("../git/diff/diff.job.ts"),
  /** Merges two commits: tree, conflicts, messages. */
  "git.merge": () => import("../git/merge/merge.job.ts"),
  /** Streams a `.diff` or `.patch`. */
  "git.patch": () => import("../git/diff/patch.job.ts"),
  /** Streams a tar, tar.gz or zip of a commit. */
  "git.archive": () => import("../git/archive/archive.job.ts"),
  /** Streams a bundle of a commit and its history. */
  "git.bundle": () => import("../git/bundle/bundle.job.ts"),
  /** Finds the last commit that changed each entry of a directory. */
  "git.lastCommits": () => import("../git/history/last-commits.job.ts"),
  /** Counts how far branches are ahead of and behind another. */
  "git.aheadBehind": () => import("../git/history/ahead-behind.job.ts"),
  /** Whether a commit is an ancestor of another. */
  "git.isAncestor": () => import("../git/history/is-ancestor.job.ts"),
  /** Finds the merge bases of two commits. */
  "git.mergeBases": () => import("../git/history/merge-bases.job.ts"),
  /** Lists a page of history. */
  "git.log": () => import("../git/history/log.job.ts"),
  /** Merges, rebases, squashes, cherry-picks or reverts commits. */
  "git.replay": () => import("../git/replay/replay.job.ts"),
  /** Blames a file. */
  "git.blame": () => import("../git/blame/blame.job.ts"),
  /** Counts contributions by author and week. */
  "git.contributors": () => import("../git/contributors/contributors.job.ts"),
  /** The same for pages, continuing from the last count. */
  "insights.contributors": () => import("../insights/contributors.job.ts"),
  /** Finds who has committed since a given time, and at which hours. */
  "insights.recent": () => import("../insights/recent.job.ts"),
  /** Counts the bytes per language of a tree. */
  "git.languages": () => import("../git/languages/languages.job.ts"),
  /** Finds the merge conflicts of a pull request. */
  "pulls.conflicts": () => import("../pulls/conflicts/read.job.ts"),
  /** Checks whether and how two branches merge, and the size of the diff. */
  "pulls.examine": () => import("../pulls/checks/examine.job.ts"),
  /** Determines the effect of a push on a pull request. */
  "pulls.pushed": () => import("../pulls/checks/pushed.job.ts"),
  "pulls.viewed": () => import("../pulls/review/viewed.job.ts"),
  "git.rangeDiff": () => import("../git/range-diff/range-diff.job.ts"),
  /** Determines the owners of the code that a pull request changes. */
  "pulls.owners-file": () => import("../pulls/review/owners-file.job.ts"),
  "pulls.owners": () => import("../pulls/review/owners.job.ts"),
  /** Reads the templates for issues and pull requests, and their configuration. */
  "issueTemplates.read": () => import("../issue-templates/read.job.ts"),
  /** Checks whether the values entered in a form match its patterns. */
  "issueTemplates.match": () => import("../issue-templates/match.job.ts"),
  /** Determines which package versions a cleanup rule's patterns allow to be deleted. */
  "packages.cleanupMatch": () => import("../packages/cleanup-match.job.ts"),
  /** Detects the licences in a repository's root directory. */
  "repository.licenses": () => import("../repos/maintenance/licenses.job.ts"),
  /** Reads the workflows of a commit. */
  "actions.read": () => import("../actions/workflows/read.job.ts"),
  /** Determines which workflow triggers an event matches. */
  "actions.match": () => import("../actions/workflows/match.job.ts"),
  /** Plans the jobs of a workflow. */
  "actions.plan": () => import("../actions/workflows/plan.job.ts"),
  "actions.planAgain": () => import("../actions/workflows/plan-again.job.ts"),
  "actions.planCall": () => import("../actions/workflows/plan-call.job.ts"),
  /** Copies the data folder while other work continues. */
  "backup.create": () => import("../backup/create.job.ts"),
  "actions.callOutputs": () => import("../actions/workflows/call-outputs.job.ts"),
} as const;

export type JobName = keyof typeof jobs;
type Run<K extends JobName> = Awaited<ReturnType<(typeof jobs)[K]>>["run"];
export type JobInput<K extends JobName> = Parameters<Run<K>>[0];
export type JobResult<K extends JobName> = Awaited<ReturnType<Run<K>>>;

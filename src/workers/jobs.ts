/**
 * Every job there is, by name. Modules load in the worker on first use, so that a worker holds only what it needs.
 * A job module exports `run(input, context)`; see job.ts.
 */
export const jobs = {
  /** Answers its input; lets tests and `doctor` see that workers run in this executable. */
  "workers.echo": () => import("./echo.job.ts"),
  /** Computes for so long; lets tests see that deadlines hold in this executable. */
  "workers.burn": () => import("./burn.job.ts"),
  /** Holds a lock until it is told to stop, or longer; lets tests see what a job that is aborted leaves. */
  "workers.hold": () => import("./hold.job.ts"),
  /** Answers a fetch: negotiation and pack. */
  "git.fetch": () => import("../git/transport/upload/fetch.job.ts"),
  /** Answers a part of a negotiation over a connection. */
  "git.negotiate": () => import("../git/transport/upload/negotiate.job.ts"),
  /** Documents to safe HTML: Markdown with code in colours, or a long one, Org, notebooks. */
  "markup.document": () => import("../markup/document.job.ts"),
  /** What the messages of pushed commits refer to. */
  "issues.commits": () => import("../issues/references/commits.job.ts"),
  /** What a long text refers to. */
  "references.read": () => import("../references/read.job.ts"),
  /** A file to coloured lines in one piece of HTML. */
  "markup.code": () => import("../markup/code.job.ts"),
  /** An uploaded block of OpenPGP keys. */
  "keys.readGpg": () => import("../keys/gpg/read.job.ts"),
  /** What signatures of commits and tags say of themselves. */
  "keys.inspectSignatures": () => import("../keys/verification/inspect.job.ts"),
  /** Whether OpenPGP keys made some signatures. */
  "keys.checkGpg": () => import("../keys/gpg/check.job.ts"),
  /** A YAML document of a package. */
  "packages.yaml": () => import("../packages/registries/yaml.job.ts"),
  /** An XML document of a package. */
  "packages.xml": () => import("../packages/registries/xml.job.ts"),
  /** Unpacks bzip2 or xz. */
  "packages.unpack": () => import("../packages/registries/archives/unpack.job.ts"),
  "packages.packXz": () => import("../packages/registries/archives/pack-xz.job.ts"),
  /** A pair of keys that a registry signs with. */
  "packages.newKey": () => import("../packages/new-key.job.ts"),
  "packages.sign": () => import("../packages/sign.job.ts"),
  /** A document as bzip2 packs it. */
  "packages.packBzip2": () => import("../packages/registries/archives/pack-bzip2.job.ts"),
  /** The long head of an rpm package. */
  "packages.rpm": () => import("../packages/registries/rpm/read.job.ts"),
  /** A document of a repository of rpm packages. */
  "packages.rpmDocument": () => import("../packages/registries/rpm/document.job.ts"),
  /** A package of Arch. */
  "packages.arch": () => import("../packages/registries/arch/read.job.ts"),
  /** The database of a repository of Arch. */
  "packages.archDatabase": () => import("../packages/registries/arch/database.job.ts"),
  /** A large JSON body. */
  "http.json": () => import("../http/json.job.ts"),
  /** A file to coloured lines. */
  "markup.highlight": () => import("../markup/highlight.job.ts"),
  /** An uploaded picture as square pictures of our own. */
  "avatars.render": () => import("../avatars/render.job.ts"),
  /** One object that costs too much to read where others wait. */
  "git.object": () => import("../git/odb/object.job.ts"),
  /** Makes a bare repository. */
  "git.create": () => import("../git/odb/create.job.ts"),
  /** Stores loose objects. */
  "git.store": () => import("../git/odb/store.job.ts"),
  /** Streams the content of a large object. */
  "git.blobStream": () => import("../git/odb/blob-stream.job.ts"),
  /** Tells what a push or an edit would change, before it is true. */
  "git.inspect": () => import("../git/inspect/inspect.job.ts"),
  /** What to ask another server for. */
  "git.negotiation": () => import("../git/client/negotiation.job.ts"),
  /** Streams the pack that another server lacks. */
  "git.pack": () => import("../git/client/pack.job.ts"),
  /** Makes the first commit of a repository from a template. */
  "generation.expand": () => import("../generation/expand.job.ts"),
  /** Moves a verified pack into the store. */
  "git.admit": () => import("../git/receive/admit.job.ts"),
  /** Where tags lead. */
  "refs.peel": () => import("../repos/refs/peel.job.ts"),
  /** Writes a repository's refs to its folder. */
  "refs.project": () => import("../repos/refs/projection.job.ts"),
  /** Takes a pack into quarantine and verifies it. */
  "git.receive": () => import("../git/transport/receive/receive.job.ts"),
  /** Rolls small packs and loose objects into one, or puts a whole repository in order. */
  "git.maintenance": () => import("../git/maintenance/maintenance.job.ts"),
  /** Finds out what replaced packs and old objects can be removed. */
  "git.planPrune": () => import("../git/maintenance/plan-prune.job.ts"),
  /** Brings objects from one repository to another on this disk. */
  "git.fetchLocally": () => import("../git/local-fetch/local-fetch.job.ts"),
  /** Where on some branches pointers to a large file lie. */
  "lfs.pointerPaths": () => import("../lfs/pointers/paths.job.ts"),
  /** Pointers to large files that some objects lead to. */
  "git.lfsPointers": () => import("../git/lfs/find-pointers.job.ts"),
  /** The packs that refs reach every object of. */
  "git.reachablePacks": () => import("../git/transport/upload/reachable-packs.job.ts"),
  /** Whether refs reach some objects. */
  "git.reachable": () => import("../git/transport/upload/reachable.job.ts"),
  /** Verifies all that a repository stores. */
  "git.scrub": () => import("../git/scrub/scrub.job.ts"),
  /** Verifies uploaded files. */
  "blobs.verify": () => import("../blobs/verify.job.ts"),
  /** Brings a commit-graph up to date after a push. */
  "git.graph": () => import("../git/graph/graph.job.ts"),
  /** What some commits changed. */
  "content.changes": () => import("../content/history/changes.job.ts"),
  /** Who brought each line of a file, with the commits, for a page. */
  "content.blame": () => import("../content/blame/blame.job.ts"),
  /** Brings the index of code to a commit of a repository. */
  "search.index": () => import("../search/index.job.ts"),
  /** Finds items with a text that has some words. */
  "issues.findTexts": () => import("../issues/list/texts.job.ts"),
  /** Finds files in the index of code. */
  "search.code": () => import("../search/search.job.ts"),
  /** What a commit of a fork has that one of its base has not. */
  "content.compareAcross": () => import("../content/compare/across.job.ts"),
  /** What a git folder that someone else made says of itself. */
  "repos.readFolder": () => import("../repos/adoption/read.job.ts"),
  /** A page of the graph of branches. */
  "content.graph": () => import("../content/graph/graph.job.ts"),
  /** Some of the files of a change, for a page. */
  "content.diff": () => import("../content/history/diff.job.ts"),
  /** A long rendered text in the API's form. */
  "site.apiHtml": () => import("../site/rendering/html.job.ts"),
  /** The pages of a wiki in which words are. */
  "wiki.search": () => import("../wiki/search.job.ts"),
  /** The entries of a large directory. */
  "content.listing": () => import("../content/files/listing.job.ts"),
  /** The paths of a large tree's files. */
  "content.paths": () => import("../content/files/paths.job.ts"),
  /** A page of a large tree. */
  "content.tree": () => import("../content/git/tree.job.ts"),
  /** Many branches or tags with their times. */
  "content.datedRefs": () => import("../content/refs/dated.job.ts"),
  /** Streams many refs as the API shows them. */
  "content.refListing": () => import("../content/refs/listing.job.ts"),
  /** Which of many branches and tags lead to a commit. */
  "content.refsHolding": () => import("../content/refs/holding.job.ts"),
  /** Applies a patch, or the change of another commit, to a tree. */
  "content.change": () => import("../content/edits/change.job.ts"),
  /** What an edit would change in a file. */
  "content.preview": () => import("../content/edits/preview.job.ts"),
  /** A text with the changes of two people. */
  "content.mergeTexts": () => import("../content/edits/merge-texts.job.ts"),
  /** A page of history between dates. */
  "content.history": () => import("../content/history/page.job.ts"),
  /** The difference of two trees, for a page. */
  "git.diff": () => import("../git/diff/diff.job.ts"),
  /** The merge of two commits: tree, conflicts, messages. */
  "git.merge": () => import("../git/merge/merge.job.ts"),
  /** Streams a `.diff` or `.patch`. */
  "git.patch": () => import("../git/diff/patch.job.ts"),
  /** Streams a tar, tar.gz or zip of a commit. */
  "git.archive": () => import("../git/archive/archive.job.ts"),
  /** Streams a bundle of a commit and its history. */
  "git.bundle": () => import("../git/bundle/bundle.job.ts"),
  /** Who last changed each entry of a folder. */
  "git.lastCommits": () => import("../git/history/last-commits.job.ts"),
  /** How far branches have gone apart from another. */
  "git.aheadBehind": () => import("../git/history/ahead-behind.job.ts"),
  /** Whether a commit can be reached from another. */
  "git.isAncestor": () => import("../git/history/is-ancestor.job.ts"),
  /** The best common ancestors of two commits. */
  "git.mergeBases": () => import("../git/history/merge-bases.job.ts"),
  /** A page of history. */
  "git.log": () => import("../git/history/log.job.ts"),
  /** Merges, rebases, squashes, picks or reverts commits. */
  "git.replay": () => import("../git/replay/replay.job.ts"),
  /** Who brought each line of a file. */
  "git.blame": () => import("../git/blame/blame.job.ts"),
  /** Who contributed how much, by week. */
  "git.contributors": () => import("../git/contributors/contributors.job.ts"),
  /** The same for pages, going on from the last count. */
  "insights.contributors": () => import("../insights/contributors.job.ts"),
  /** Who committed since a time, and at what hours. */
  "insights.recent": () => import("../insights/recent.job.ts"),
  /** Bytes per language of a tree. */
  "git.languages": () => import("../git/languages/languages.job.ts"),
  /** What follows from the two commits of a pull request. */
  "pulls.conflicts": () => import("../pulls/conflicts/read.job.ts"),
  /** Whether and how two branches merge, and how large the difference is. */
  "pulls.examine": () => import("../pulls/checks/examine.job.ts"),
  /** What a push made of a pull request. */
  "pulls.pushed": () => import("../pulls/checks/pushed.job.ts"),
  "pulls.viewed": () => import("../pulls/review/viewed.job.ts"),
  "git.rangeDiff": () => import("../git/range-diff/range-diff.job.ts"),
  /** The owners of the code that a pull request changes. */
  "pulls.owners-file": () => import("../pulls/review/owners-file.job.ts"),
  "pulls.owners": () => import("../pulls/review/owners.job.ts"),
  /** Templates of issues and pull requests, and their configuration. */
  "issueTemplates.read": () => import("../issue-templates/read.job.ts"),
  /** Whether what was filled into a form matches its patterns. */
  "issueTemplates.match": () => import("../issue-templates/match.job.ts"),
  /** Which versions of packages the patterns of a cleanup rule let go. */
  "packages.cleanupMatch": () => import("../packages/cleanup-match.job.ts"),
  /** Licences of a repository's root folder. */
  "repository.licenses": () => import("../repos/maintenance/licenses.job.ts"),
  /** The workflows of a commit. */
  "actions.read": () => import("../actions/workflows/read.job.ts"),
  /** Which triggers an event sets off. */
  "actions.match": () => import("../actions/workflows/match.job.ts"),
  /** The jobs of a workflow. */
  "actions.plan": () => import("../actions/workflows/plan.job.ts"),
  "actions.planAgain": () => import("../actions/workflows/plan-again.job.ts"),
  "actions.planCall": () => import("../actions/workflows/plan-call.job.ts"),
  /** Copies the data folder beside all other work. */
  "backup.create": () => import("../backup/create.job.ts"),
  "actions.callOutputs": () => import("../actions/workflows/call-outputs.job.ts"),
} as const;

export type JobName = keyof typeof jobs;
type Run<K extends JobName> = Awaited<ReturnType<(typeof jobs)[K]>>["run"];
export type JobInput<K extends JobName> = Parameters<Run<K>>[0];
export type JobResult<K extends JobName> = Awaited<ReturnType<Run<K>>>;

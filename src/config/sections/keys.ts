import type { Setting } from "../setting.ts";

const publicKey = (value: string): string | undefined =>
  /^(?:[a-z0-9@.-]{1,64} )?AAAA[A-Za-z0-9+/]+={0,2}(?: |$)/.test(value)
    ? undefined
    : "must be a public key as in a .pub file, or its second word alone, which begins with AAAA";

const address = (value: string): string | undefined =>
  value === "" || /^[^\s<>@"]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value)
    ? undefined
    : "must be an e-mail address";

const signingConditions = {
  initial: ["never", "always", "pubkey", "twofa"],
  edits: ["never", "always", "pubkey", "twofa", "parentsigned"],
  wiki: ["never", "always", "pubkey", "twofa"],
  merges: ["never", "always", "pubkey", "twofa", "basesigned", "headsigned", "commitssigned", "approved"],
} as const;

const signingCondition =
  (purpose: keyof typeof signingConditions) =>
  (value: string): string | undefined => {
    const known: readonly string[] = signingConditions[purpose];
    return known.includes(value) ? undefined : `must be one of ${known.join(", ")}`;
  };

const principalRule = (value: string): string | undefined =>
  ["username", "email", "anything"].includes(value) ? undefined : "must be username, email or anything";

/** Keys that people sign in with, and the one that the server signs commits with. */
export const keysSettings = {
  "keys.authorities": {
    type: { kind: "list", check: publicKey },
    standard: [],
    doc: "Public keys of SSH whose certificates let an account in that has registered a principal of the certificate: lines of .pub files, or their second words, which is what fits into the environment. Empty: certificates do not count.",
  },
  "keys.principals": {
    type: { kind: "list", check: principalRule },
    standard: ["username", "email"],
    doc: "What people may register as principal when there are `keys.authorities`: `username`, `email` (a confirmed address of theirs), `anything`. Empty: nothing.",
  },
  "signing.format": {
    type: { kind: "choice", of: ["none", "openpgp", "ssh"] },
    standard: "none",
    doc: "Sign commits that the server makes for people (first commits, edits, merges, changes of wikis), with a key of this kind, which is made when it is first needed.",
  },
  "signing.name": {
    type: { kind: "text" },
    standard: "",
    doc: "The name that such a key has. Empty: `name`.",
  },
  "signing.email": {
    type: { kind: "text", check: address },
    standard: "",
    doc: "The address that such a key has. Empty: one of the host of `root_url` that takes no mail.",
  },
  "signing.initial_commits": {
    type: { kind: "list", check: signingCondition("initial") },
    standard: ["always"],
    doc: "When the first commit of a new repository is signed; all of the list must hold: `never`, `always`, `pubkey` (the account has an OpenPGP key or a verified SSH key), `twofa` (it has a second factor).",
  },
  "signing.edits": {
    type: { kind: "list", check: signingCondition("edits") },
    standard: ["pubkey", "twofa", "parentsigned"],
    doc: "When commits that come of editing files here are signed: the same, and `parentsigned` (the commit before it is verified).",
  },
  "signing.merges": {
    type: { kind: "list", check: signingCondition("merges") },
    standard: ["pubkey", "twofa", "basesigned", "commitssigned"],
    doc: "When merges of pull requests are signed: `never`, `always`, `pubkey`, `twofa`, and what is verified: `basesigned` (the tip of the base), `headsigned` (that of the head), `commitssigned` (all commits of the pull request), or `approved` (an approval counts).",
  },
  "signing.wiki": {
    type: { kind: "list", check: signingCondition("wiki") },
    standard: ["never"],
    doc: "When changes of wikis that are made here are signed: `never`, `always`, `pubkey`, `twofa`.",
  },
  "signing.trust_model": {
    type: { kind: "choice", of: ["collaborator", "committer", "collaboratorcommitter"] },
    standard: "collaborator",
    doc: "Whose good signatures of commits count in repositories that do not say: of who may write there (`collaborator`), of the committer (`committer`), of a committer who may write there (`collaboratorcommitter`).",
  },
  "signing.trusted_ssh_keys": {
    type: { kind: "list", check: publicKey },
    standard: [],
    doc: "Public keys of SSH whose signatures count for every account, such as a company's: lines of .pub files, or their second words.",
  },
} as const satisfies Record<string, Setting>;

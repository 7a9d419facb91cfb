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

/** Keys that users sign in with, and the one with which the server signs commits. */
export const keysSettings = {
  "keys.authorities": {
    type: { kind: "list", check: publicKey },
    standard: [],
    doc: "Public SSH keys of trusted certificate authorities: lines of .pub files, or just their second field, which fits into an environment variable. A certificate signed by one of them lets in the account that has registered one of its principals. Empty: certificates are not accepted.",
  },
  "keys.principals": {
    type: { kind: "list", check: principalRule },
    standard: ["username", "email"],
    doc: "What people may register as a principal if `keys.authorities` is set: `username`, `email` (one of their confirmed addresses), `anything`. Empty: nothing.",
  },
  "signing.format": {
    type: { kind: "choice", of: ["none", "openpgp", "ssh"] },
    standard: "none",
    doc: "Sign commits that the server makes on people's behalf (initial commits, edits, merges, wiki changes) with a key of this kind, created when first needed.",
  },
  "signing.name": {
    type: { kind: "text" },
    standard: "",
    doc: "The name on the signing key. Empty: `name`.",
  },
  "signing.email": {
    type: { kind: "text", check: address },
    standard: "",
    doc: "The e-mail address on the signing key. Empty: a no-reply address at the host of `root_url`.",
  },
  "signing.initial_commits": {
    type: { kind: "list", check: signingCondition("initial") },
    standard: ["always"],
    doc: "When to sign the first commit of a new repository; all listed conditions must hold: `never`, `always`, `pubkey` (the account has an OpenPGP key or a verified SSH key), `twofa` (it has a second factor).",
  },
  "signing.edits": {
    type: { kind: "list", check: signingCondition("edits") },
    standard: ["pubkey", "twofa", "parentsigned"],
    doc: "When to sign commits made by editing files here: the same conditions, and `parentsigned` (the parent commit is verified).",
  },
  "signing.merges": {
    type: { kind: "list", check: signingCondition("merges") },
    standard: ["pubkey", "twofa", "basesigned", "commitssigned"],
    doc: "When to sign merges of pull requests: `never`, `always`, `pubkey`, `twofa`, `basesigned` (the tip of the base is verified), `headsigned` (the tip of the head is verified), `commitssigned` (all commits of the pull request are verified), or `approved` (it has an approval that counts).",
  },
  "signing.wiki": {
    type: { kind: "list", check: signingCondition("wiki") },
    standard: ["never"],
    doc: "When to sign wiki changes made here: `never`, `always`, `pubkey`, `twofa`.",
  },
  "signing.trust_model": {
    type: { kind: "choice", of: ["collaborator", "committer", "collaboratorcommitter"] },
    standard: "collaborator",
    doc: "Whose valid signatures count in repositories that do not choose for themselves: those of people who can write to the repository (`collaborator`), of the committer (`committer`), or of a committer who can write to it (`collaboratorcommitter`).",
  },
  "signing.trusted_ssh_keys": {
    type: { kind: "list", check: publicKey },
    standard: [],
    doc: "Public SSH keys whose signatures count for every account, such as a company key: lines of .pub files, or just their second field.",
  },
} as const satisfies Record<string, Setting>;

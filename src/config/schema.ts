/**
 * Every setting Hearth has: its name, type, default and meaning. The file, the environment, the flags,
 * `hearth config` and docs/operations.md are all made from this table.
 *
 * `network.allow` in the TOML file is HEARTH_NETWORK_ALLOW in the environment.
 */

import { parseIpRange } from "../kernel/ip.ts";

export type SettingKind =
  | { kind: "text"; check?: (value: string) => string | undefined }
  | { kind: "choice"; of: readonly string[] }
  | { kind: "flag" }
  | { kind: "number"; least: number; most: number }
  | { kind: "list"; check?: (value: string) => string | undefined };

export interface Setting {
  readonly type: SettingKind;
  readonly standard: string | boolean | number | readonly string[];
  readonly secret?: boolean;
  readonly doc: string;
}

const listenAddress = (value: string): string | undefined =>
  parseListen(value) ? undefined : "must be HOST:PORT, for example 127.0.0.1:3000 or [::1]:3000";

const webAddress = (value: string): string | undefined => {
  if (value === "") return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:") || url.username || url.search || url.hash)
    return "must be an http or https address without user, query or fragment";
  return undefined;
};

const networkEntry = (value: string): string | undefined =>
  parseIpRange(value) || (/^[a-z0-9*?._-]+$/i.test(value) && !/^[\d.]+$/.test(value))
    ? undefined
    : "must be external, loopback, private, a host name (which may hold *) or an address range such as 10.0.0.0/8";

const proxyEntry = (value: string): string | undefined =>
  parseIpRange(value) || /^(private|loopback)$/i.test(value)
    ? undefined
    : "must be private, loopback, an address or a range such as 10.0.0.0/8";

const branchName = (value: string): string | undefined =>
  /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(value) && !/\.\.|\/\/|\.lock$|[/.]$/.test(value)
    ? undefined
    : "must be a branch name";

const mailHost = (value: string): string | undefined =>
  value === "" || /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$|^\[?[0-9a-fA-F:.]+\]?$/.test(value)
    ? undefined
    : "must be a host name or address";

const mailbox = (value: string): string | undefined =>
  value === "" || /^(?:[^<>@\p{Cc}]* <)?[^\s<>@"]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?>?$/u.test(value)
    ? undefined
    : "must be an e-mail address, or a name with the address in angle brackets";

const headerName = (value: string): string | undefined =>
  /^[A-Za-z0-9-]{1,100}$/.test(value) ? undefined : "must be the name of a header";

const publicKey = (value: string): string | undefined =>
  /^(?:[a-z0-9@.-]{1,64} )?AAAA[A-Za-z0-9+/]+={0,2}(?: |$)/.test(value)
    ? undefined
    : "must be a public key as in a .pub file, or its second word alone, which begins with AAAA";

const attachmentType = (value: string): string | undefined =>
  /^(?:\.[a-z0-9+_-]{1,20}|[a-z0-9.+-]+\/(?:\*|[a-z0-9.+-]+)|\*\/\*)$/.test(value)
    ? undefined
    : "must be an ending such as .png or a type such as image/*, in lower case";

const reaction = (value: string): string | undefined =>
  /^[a-z0-9_+-]{1,50}$/.test(value) ? undefined : "must be the short name of an emoji, such as heart";
const address = (value: string): string | undefined =>
  value === "" || /^[^\s<>@"]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value)
    ? undefined
    : "must be an e-mail address";

const signingConditions = {
  initial: ["never", "always", "pubkey", "twofa"],
  edits: ["never", "always", "pubkey", "twofa", "parentsigned"],
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

export const settings = {
  data: {
    type: { kind: "text" },
    standard: "data",
    doc: "The folder that holds everything: database, repositories, secrets. Back up this one.",
  },
  listen: {
    type: { kind: "text", check: listenAddress },
    standard: "127.0.0.1:3000",
    doc: "Address and port to listen on.",
  },
  root_url: {
    type: { kind: "text", check: webAddress },
    standard: "",
    doc: "The address people use, for links and clone URLs, such as https://git.example.org/. Empty: made from `listen`.",
  },
  name: { type: { kind: "text" }, standard: "Hearth", doc: "What the site calls itself." },
  registration: {
    type: { kind: "choice", of: ["open", "first", "closed"] },
    standard: "first",
    doc: "Who may make an account in the browser: everyone, only the very first person (who becomes administrator), or no one.",
  },
  require_signin: { type: { kind: "flag" }, standard: false, doc: "Show nothing to visitors who are not signed in." },
  "network.allow": {
    type: { kind: "list", check: networkEntry },
    standard: ["external"],
    doc: "Where the server itself may connect to (webhooks, mirrors, imports): external, loopback, private, host names (`*.lan`), address ranges (`10.0.0.0/8`), or `*` for everywhere.",
  },
  "proxy.trusted": {
    type: { kind: "list", check: proxyEntry },
    standard: [],
    doc: "Reverse proxies whose X-Forwarded-For is believed: addresses, ranges such as 10.0.0.0/8, private, loopback. Empty: none.",
  },
  "proxy.sign_in": {
    type: { kind: "choice", of: ["off", "pages", "everywhere"] },
    standard: "off",
    doc: "Believe the reverse proxies of `proxy.trusted` when they name in a header who is signed in: not at all, on pages, or on pages and over REST. The proxy must take these headers off what clients send.",
  },
  "proxy.sign_in_header": {
    type: { kind: "text", check: headerName },
    standard: "X-WEBAUTH-USER",
    doc: "The header with the account's name.",
  },
  "proxy.sign_in_email_header": {
    type: { kind: "text", check: headerName },
    standard: "X-WEBAUTH-EMAIL",
    doc: "The header with the e-mail address.",
  },
  "proxy.sign_in_name_header": {
    type: { kind: "text", check: headerName },
    standard: "X-WEBAUTH-FULLNAME",
    doc: "The header with the full name.",
  },
  "proxy.sign_in_by_email": {
    type: { kind: "flag" },
    standard: false,
    doc: "Find the account by the e-mail address when there is none of that name.",
  },
  "proxy.sign_in_registers": {
    type: { kind: "flag" },
    standard: false,
    doc: "Make an account for whom the proxy names and who has none.",
  },
  "mail.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Send mail. Without `mail.host` and `mail.from` none is sent anyway.",
  },
  "mail.host": {
    type: { kind: "text", check: mailHost },
    standard: "",
    doc: "The mail server that takes Hearth's mail (SMTP). Empty: Hearth sends no mail.",
  },
  "mail.port": {
    type: { kind: "number", least: 0, most: 65535 },
    standard: 0,
    doc: "Its port. 0: the usual one for `mail.security` (25, 587 or 465).",
  },
  "mail.security": {
    type: { kind: "choice", of: ["none", "starttls", "tls"] },
    standard: "starttls",
    doc: "How the connection to the mail server is protected: not at all, by STARTTLS (required, not tried), or by TLS from the start.",
  },
  "mail.user": { type: { kind: "text" }, standard: "", doc: "The account at the mail server. Empty: none is needed." },
  "mail.password": { type: { kind: "text" }, standard: "", secret: true, doc: "The password of that account." },
  "mail.password_file": {
    type: { kind: "text" },
    standard: "",
    doc: "A file whose first line is that password, instead of `mail.password`.",
  },
  "mail.from": {
    type: { kind: "text", check: mailbox },
    standard: "",
    doc: "The sender of mails: `git@example.org` or `Hearth <git@example.org>`.",
  },
  "mail.reply_to": {
    type: { kind: "text", check: mailbox },
    standard: "",
    doc: "Where answers to mails go. Empty: to the sender.",
  },
  "mail.helo": {
    type: { kind: "text", check: mailHost },
    standard: "",
    doc: "The name Hearth greets the mail server with. Empty: the host of `root_url`.",
  },
  "mail.confirm_addresses": {
    type: { kind: "flag" },
    standard: false,
    doc: "People confirm their e-mail addresses by a link in a mail: an account made by registration cannot be used before, an added address does not count before. Without mail they wait for an administrator.",
  },
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
  "two_factor.required": {
    type: { kind: "choice", of: ["none", "admins", "all"] },
    standard: "none",
    doc: "Which people must have a second factor: no one, site administrators, or all. Who must and has none can sign in to set one up, and do nothing else.",
  },
  "signing.format": {
    type: { kind: "choice", of: ["none", "openpgp", "ssh"] },
    standard: "none",
    doc: "Sign commits that the server makes for people (first commits, edits, merges), with a key of this kind, which is made when it is first needed.",
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
  "signing.trusted_ssh_keys": {
    type: { kind: "list", check: publicKey },
    standard: [],
    doc: "Public keys of SSH whose signatures count for every account, such as a company's: lines of .pub files, or their second words.",
  },
  "password.min_length": {
    type: { kind: "number", least: 1, most: 255 },
    standard: 8,
    doc: "The least number of characters of a password.",
  },
  "session.days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days a browser stays signed in without being used.",
  },
  "sign_in.password_form": {
    type: { kind: "flag" },
    standard: true,
    doc: "Take passwords on the sign-in page. Off: people come by passkey or by a sign-in source; where there is one provider and no other way, visitors are sent on to it at once.",
  },
  "sign_in.newcomers": {
    type: { kind: "choice", of: ["closed", "ask", "auto"] },
    standard: "closed",
    doc: "Who signs in by a provider (OAuth2, OpenID Connect) and has no account here: may make one only where `registration` is open, may make one in any case, or gets one at once. Directories (LDAP) decide themselves whom they let in.",
  },
  "sign_in.linking": {
    type: { kind: "flag" },
    standard: true,
    doc: "Who signs in by a provider may say which account here is theirs, by signing in to it once.",
  },
  "sign_in.username": {
    type: { kind: "choice", of: ["nickname", "preferred_username", "userid", "email"] },
    standard: "nickname",
    doc: "Which of a provider's words for someone becomes the name of a new account.",
  },
  "sign_in.update_avatar": {
    type: { kind: "flag" },
    standard: false,
    doc: "Take over a provider's picture for accounts that have none.",
  },
  "sign_in.openid_scopes": {
    type: {
      kind: "list",
      check: (value) => (/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value) ? undefined : "must be a scope without blanks"),
    },
    standard: [],
    doc: "Scopes that OpenID Connect providers are asked for besides openid, profile and email.",
  },
  "oauth2.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let other programs sign people in with their account here (OAuth2, OpenID Connect).",
  },
  "oauth2.signing_algorithm": {
    type: { kind: "choice", of: ["RS256", "ES256", "EdDSA"] },
    standard: "RS256",
    doc: "How the tokens for such programs are signed. A key is made when one is needed; earlier ones stay good.",
  },
  "oauth2.access_token_minutes": {
    type: { kind: "number", least: 1, most: 24 * 60 },
    standard: 60,
    doc: "Minutes such a program may act before it has to refresh its token.",
  },
  "oauth2.refresh_token_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days such a program may stay away before the person has to let it in again.",
  },
  "oauth2.built_in_clients": {
    type: { kind: "list" },
    standard: ["git-credential-oauth", "git-credential-manager", "tea"],
    doc: "The programs that are known without being registered.",
  },
  "oauth2.custom_schemes": {
    type: {
      kind: "list",
      check: (value) =>
        /^[a-z][a-z0-9+.-]*$/.test(value) ? undefined : "must be a scheme, for example com.example.app",
    },
    standard: [],
    doc: "Schemes besides http and https that addresses of registered programs may have.",
  },
  "repository.default_branch": {
    type: { kind: "text", check: branchName },
    standard: "main",
    doc: "The default branch of a new repository.",
  },
  "repository.force_private": { type: { kind: "flag" }, standard: false, doc: "Make every new repository private." },
  "repository.stars": { type: { kind: "flag" }, standard: true, doc: "Let people star repositories." },
  "watch.new_repositories": {
    type: { kind: "flag" },
    standard: true,
    doc: "Whoever creates a repository watches it.",
  },
  "watch.on_push": {
    type: { kind: "flag" },
    standard: false,
    doc: "Whoever pushes to a repository for the first time watches it from then on, until they say otherwise.",
  },
  "repository.bin_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 7,
    doc: "Days that a deleted repository can be restored, with all that it had. 0: it goes at once.",
  },
  "repository.trash_hours": {
    type: { kind: "number", least: 0, most: 24 * 365 },
    standard: 24,
    doc: "Hours before the files of a repository that is gone for good leave the disk.",
  },
  "repository.prune_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 14,
    doc: "Days that objects stay which nothing leads to any more, such as what a forced push took away; they leave the disk in the nightly maintenance after that.",
  },
  "attachments.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Files may be attached to issues, pull requests and comments.",
  },
  "attachments.allowed_types": {
    type: { kind: "list", check: attachmentType },
    standard: [
      ".avif,.cpuprofile,.csv,.dmp,.docx,.fodg,.fodp,.fods,.fodt,.gif,.gz,.jpeg,.jpg,.json,.jsonc,.log,.md,.mov,.mp4,.odf",
      ".odg,.odp,.ods,.odt,.patch,.pdf,.png,.pptx,.svg,.tgz,.txt,.webm,.webp,.xls,.xlsx,.zip",
    ].flatMap((some) => some.split(",")),
    doc: "What may be attached: endings of names (`.png`), and types told from the content (`image/*`, `text/plain`). Empty or `*/*`: everything.",
  },
  "attachments.max_size_mib": {
    type: { kind: "number", least: 1, most: 100_000 },
    standard: 100,
    doc: "The largest file that may be attached, in MiB.",
  },
  "attachments.max_files": {
    type: { kind: "number", least: 1, most: 100 },
    standard: 5,
    doc: "Files that a form in the browser takes at once.",
  },
  "issues.max_pinned": {
    type: { kind: "number", least: 0, most: 20 },
    standard: 3,
    doc: "Issues, and pull requests, that may be pinned in a repository. 0: none.",
  },
  "issues.cross_repository_dependencies": {
    type: { kind: "flag" },
    standard: true,
    doc: "Issues may depend on those of other repositories.",
  },
  "issues.bin_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 7,
    doc: "Days that a deleted issue, pull request or comment can be restored, with its number, its timeline and its files. 0: it goes at once.",
  },
  "notifications.mail": {
    type: { kind: "choice", of: ["enabled", "onmention", "disabled", "andyourown"] },
    standard: "enabled",
    doc: "Which mails about issues and pull requests people get who have not said: of what others do, only when they are mentioned, none, or of what they do themselves, too.",
  },
  "releases.allowed_types": {
    type: { kind: "list", check: attachmentType },
    standard: [],
    doc: "What files releases may have: endings of names (`.deb`), and types told from the content (`application/zip`). Empty: everything.",
  },
  "releases.max_size_mib": {
    type: { kind: "number", least: 1, most: 100_000 },
    standard: 2048,
    doc: "The largest file that a release may have, in MiB.",
  },
  "issues.reactions": {
    type: { kind: "list", check: reaction },
    standard: ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"],
    doc: "What people may react with to issues and comments, as the short names of emoji. What is no longer here is not shown.",
  },
  "blobs.grace_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 14,
    doc: "Days that an uploaded file stays on the disk after the last thing that has it is gone. A backup copies files for as long.",
  },
  "scrub.schedule": {
    type: { kind: "choice", of: ["weekly", "monthly", "never"] },
    standard: "monthly",
    doc: "How often everything stored (packs, indexes, loose objects, uploaded files) is read and compared with its checksums, in the night to Sunday or to the first of a month. What is found stands in the log and in the administration.",
  },
  "scrub.core_percent": {
    type: { kind: "number", least: 1, most: 100 },
    standard: 25,
    doc: "The part of one processor core that this reading may take.",
  },
  "retention.events_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days that the record of what happened stays once feeds, webhooks and the like have taken it. What one of them could not take stays until an administrator decides.",
  },
  "retention.ref_log_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 90,
    doc: "Days that the log of where branches and tags pointed stays; at least as long as `repository.prune_days`. 0: for ever.",
  },
  "retention.activities_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 365,
    doc: "Days that entries of the activity feeds stay. 0: for ever.",
  },
  "retention.audit_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 365,
    doc: "Days that the record of security events stays (sign-ins, changed passwords, tokens and the like). 0: for ever.",
  },
  "retention.finished_jobs_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 7,
    doc: "Days that background jobs that were done or cancelled are listed.",
  },
  "retention.failed_jobs_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days that background jobs that failed for good are listed, and can be run again.",
  },
  "retention.notices_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 365,
    doc: "Days that notices to administrators are kept.",
  },
  "git.push_create": {
    type: { kind: "flag" },
    standard: true,
    doc: "A push to a repository that does not exist, in the pusher's own namespace, makes it.",
  },
  "git.push_create_private": {
    type: { kind: "flag" },
    standard: true,
    doc: "Repositories made by a push are private.",
  },
  "git.max_push_mib": {
    type: { kind: "number", least: 1, most: 1 << 20 },
    standard: 16384,
    doc: "The largest pack one push may send, in MiB.",
  },
  "git.max_object_mib": {
    type: { kind: "number", least: 1, most: 1 << 20 },
    standard: 4096,
    doc: "The largest single object a push may hold, in MiB.",
  },
  "git.max_file_mib": {
    type: { kind: "number", least: 0, most: 1 << 20 },
    standard: 0,
    doc: "The largest file a push or an edit may bring, in MiB; 0: as large as an object may be. A repository may set less.",
  },
  "git.refuse_secrets": {
    type: { kind: "flag" },
    standard: false,
    doc: "Refuse pushes and edits that bring files with what looks like a secret: private keys, tokens of well-known services. A repository may refuse them where the site does not.",
  },
  "git.max_objects": {
    type: { kind: "number", least: 1, most: 100_000_000 },
    standard: 20_000_000,
    doc: "The most objects one push may send.",
  },
  "git.concurrent_pushes": {
    type: { kind: "number", least: 1, most: 64 },
    standard: 2,
    doc: "Pushes to one repository that may be received at the same time; others wait.",
  },
  "git.remote_timeout_minutes": {
    type: { kind: "number", least: 1, most: 10080 },
    standard: 60,
    doc: "How long fetching from another server, or pushing to it, may take in all, in minutes.",
  },
  "git.remote_idle_seconds": {
    type: { kind: "number", least: 5, most: 3600 },
    standard: 120,
    doc: "How long another git server may be silent before it is given up, in seconds.",
  },
  "api.page_size": {
    type: { kind: "number", least: 1, most: 1000 },
    standard: 30,
    doc: "Items a page when a client does not say.",
  },
  "api.largest_page": { type: { kind: "number", least: 1, most: 1000 }, standard: 50, doc: "The most items a page." },
  "api.swagger": { type: { kind: "flag" }, standard: true, doc: "Serve the API document and its pages." },
  "http.max_body_mib": {
    type: { kind: "number", least: 1, most: 4096 },
    standard: 64,
    doc: "The largest JSON or form body, in MiB. Git pushes have limits of their own.",
  },
  "http.body_memory_mib": {
    type: { kind: "number", least: 1, most: 65_536 },
    standard: 96,
    doc: "What all JSON, form and fetch request bodies in memory at one time may take, in MiB; what comes on top is answered 503. One address may hold half of it. At least `http.max_body_mib`.",
  },
  "http.body_seconds": {
    type: { kind: "number", least: 1, most: 3600 },
    standard: 30,
    doc: "Seconds a JSON or form body may take to arrive, besides one for each 64 KiB of it.",
  },
  "http.max_connections": {
    type: { kind: "number", least: 0, most: 1 << 20 },
    standard: 0,
    doc: "Connections that may be open at one time (Linux). 0: 4096, or as many as the limit of open files leaves after a reserve of 128.",
  },
  "http.connections_per_address": {
    type: { kind: "number", least: 1, most: 1 << 20 },
    standard: 256,
    doc: "Connections one address (of IPv6: one /64) may have open at one time (Linux). Trusted proxies may have any number.",
  },
  "git.max_ref_changes": {
    type: { kind: "number", least: 1, most: 10_000_000 },
    standard: 20_000,
    doc: "The most branches, tags and other refs that one push may make, move or delete.",
  },
  "git.max_atomic_ref_changes": {
    type: { kind: "number", least: 1, most: 10_000_000 },
    standard: 5_000,
    doc: "The same for a push that is all or nothing (`--atomic`), which others wait for: some 20 ms for each 1,000 on a small machine.",
  },
  "markup.timeout_seconds": {
    type: { kind: "number", least: 1, most: 60 },
    standard: 3,
    doc: "Seconds a text may take to be rendered or coloured; after that it is shown as it was written.",
  },
  "time.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let people track the time that issues and pull requests take, where the repository does, too.",
  },
  "workers.bulk": {
    type: { kind: "number", least: 0, most: 64 },
    standard: 0,
    doc: "Threads for packs and other long work. 0: one for each core.",
  },
  "workers.job_minutes": {
    type: { kind: "number", least: 1, most: 10_000 },
    standard: 120,
    doc: "Minutes that one push, fetch or copy may keep a thread at work. Waiting for a client that sends or reads does not count.",
  },
  "cache.mib": {
    type: { kind: "number", least: 0, most: 1 << 20 },
    standard: 128,
    doc: "Memory for what was made once and may be asked for again (rendered files, diffs, histories, listings, objects of repositories, passwords that were right), all of it together, in MiB. Each thread at work is lent an eighth of it for the repositories it reads, until it ends; a quarter always stays for the rest.",
  },
  "archives.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let people download the files of a commit as zip, tar.gz, tar or bundle.",
  },
  "archives.cache_mib": {
    type: { kind: "number", least: 0, most: 1 << 24 },
    standard: 1024,
    doc: "Disk for such archives that were made and may be asked for again, in MiB. Those not used for longest go first, and are made again.",
  },
  "search.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Search in the code of default branches, and the index for it (`search.db` in the data folder).",
  },
  "search.max_file_kib": {
    type: { kind: "number", least: 1, most: 16_384 },
    standard: 512,
    doc: "Larger files are not searched, in KiB.",
  },
  "shutdown.grace_seconds": {
    type: { kind: "number", least: 0, most: 3600 },
    standard: 30,
    doc: "How long running pushes may go on after the server is told to stop.",
  },
  "log.level": {
    type: { kind: "choice", of: ["debug", "info", "warn", "error"] },
    standard: "info",
    doc: "What is logged.",
  },
  "log.format": { type: { kind: "choice", of: ["text", "json"] }, standard: "text", doc: "Shape of a log line." },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

type ValueOf<S extends Setting> = S["type"] extends { kind: "choice"; of: readonly (infer V)[] }
  ? V
  : S["type"] extends { kind: "flag" }
    ? boolean
    : S["type"] extends { kind: "number" }
      ? number
      : S["type"] extends { kind: "list" }
        ? readonly string[]
        : string;

export type Config = { readonly [K in SettingName]: ValueOf<(typeof settings)[K]> };

export const settingNames = Object.keys(settings) as SettingName[];

export function environmentName(name: SettingName): string {
  return `HEARTH_${name.replaceAll(".", "_").toUpperCase()}`;
}

/** Splits `HOST:PORT`; undefined when it is not that. */
export function parseListen(value: string): { hostname: string; port: number } | undefined {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:[\]\s]+):(\d{1,5})$/.exec(value);
  if (!match?.[1] || !match[2] || Number(match[2]) > 65535) return undefined;
  return { hostname: match[1].replace(/^\[|\]$/g, ""), port: Number(match[2]) };
}

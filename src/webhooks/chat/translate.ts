import type { EventType } from "../event-names.ts";
import type { ChatMessage, Span } from "./message.ts";

/** Colours by kind of event. */
const colors = {
  green: "1ac600",
  lightGreen: "bfe5bf",
  yellow: "ffd930",
  grey: "4f545c",
  purple: "7289da",
  orange: "eb6420",
  lightOrange: "e68d60",
  red: "ff3232",
} as const;
type Color = keyof typeof colors;

const ID_LENGTH = 7;

/** A stored event, parsed: any part of it may be missing. */
interface Payload {
  readonly [key: string]: unknown;
}

/** A message without actor and link. */
interface Said {
  readonly what: readonly Span[];
  readonly url: string;
  readonly color: Color;
  readonly lines?: readonly (readonly Span[])[];
  readonly facts?: ChatMessage["facts"];
}

type Teller = (payload: Payload, repoUrl: string) => Said;

/** An event as a message. @param payload as sent to programs */
export function chatMessageOf(type: EventType, payload: Payload): ChatMessage {
  const sender = part(payload, "sender");
  const repository = part(payload, "repository");
  const repoUrl = text(repository, "html_url");
  const fullName = text(repository, "full_name");
  const { color, facts = [], lines = [], url, what } = (tellers[type] ?? otherwise)(payload, repoUrl);
  const branch = type === "push" ? branchOf(payload, repoUrl) : [];
  const where: readonly Span[] =
    fullName === "" ? [] : [{ text: "[" }, { text: fullName, url: repoUrl }, ...branch, { text: "] " }];
  return {
    line: [...where, ...what],
    actor: {
      name: text(sender, "login"),
      url: text(sender, "html_url"),
      avatarUrl: text(sender, "avatar_url"),
    },
    repo: fullName === "" ? undefined : { fullName, url: repoUrl },
    url: url || repoUrl,
    lines,
    facts: [...(fullName === "" ? [] : [{ name: "Repository:", value: fullName }]), ...facts],
    color: colors[color],
  };
}

const itemTellers = {
  issues: itemTeller("issue", "Issue"),
  pull_request: itemTeller("pull_request", "Pull request"),
};
const issueComment = commentTeller("issue");
const pullComment = commentTeller("pull request");

const tellers: Partial<Record<EventType, Teller>> = {
  create: refTeller("created", "green"),
  delete: refTeller("deleted", "red"),
  push,
  fork: (payload, repoUrl) => ({
    what: [{ text: `${text(part(payload, "forkee"), "full_name")} was forked` }],
    url: repoUrl,
    color: "green",
  }),
  issues: itemTellers.issues,
  issue_assign: itemTellers.issues,
  issue_label: itemTellers.issues,
  issue_milestone: itemTellers.issues,
  issue_comment: issueComment,
  pull_request: itemTellers.pull_request,
  pull_request_assign: itemTellers.pull_request,
  pull_request_label: itemTellers.pull_request,
  pull_request_milestone: itemTellers.pull_request,
  pull_request_sync: itemTellers.pull_request,
  pull_request_review_request: itemTellers.pull_request,
  pull_request_comment: pullComment,
  pull_request_review_approved: reviewTeller("approved", "green"),
  pull_request_review_rejected: reviewTeller("rejected", "red"),
  pull_request_review_comment: reviewTeller("commented on", "grey"),
  repository: (payload, repoUrl) => {
    const isCreated = text(payload, "action") === "created";
    return {
      what: [{ text: `Repository ${text(payload, "action")}` }],
      url: repoUrl,
      color: isCreated ? "green" : "red",
    };
  },
  release: (payload) => {
    const release = part(payload, "release");
    const action = text(payload, "action");
    const url = text(release, "html_url");
    const color = action === "published" ? "green" : action === "deleted" ? "red" : "yellow";
    const name = text(release, "name") || text(release, "tag_name");
    return {
      what: [{ text: `Release ${action}: ` }, { text: name, url }],
      url,
      color,
      lines: written(text(release, "body")),
    };
  },
  wiki: (payload, repoUrl) => {
    const page = text(payload, "page");
    const action = text(payload, "action");
    // A page's name is already escaped, like its file.
    const url = `${repoUrl}/wiki/${page.replace(/[^\w.~%-]+/g, encodeURIComponent)}`;
    const color = action === "created" ? "green" : action === "deleted" ? "red" : "yellow";
    return {
      what: [{ text: `Wiki page ${action}: ` }, { text: page, url }],
      url,
      color,
      lines: written(text(payload, "comment")),
    };
  },
  package: (payload) => {
    const made = part(payload, "package");
    const action = text(payload, "action");
    const url = text(made, "html_url");
    const name = `${text(made, "name")}:${text(made, "version")}`;
    return {
      what: [{ text: `Package ${action}: ` }, { text: name, url }],
      url,
      color: action === "created" ? "green" : "red",
    };
  },
  status: (payload) => {
    const commit = part(payload, "commit");
    const state = text(payload, "state");
    const url = text(payload, "target_url") || text(commit, "url");
    const color = state === "success" ? "green" : state === "pending" ? "yellow" : state === "skipped" ? "grey" : "red";
    return {
      what: [
        { text: `Check ${text(payload, "context")}: ${state} ` },
        { text: text(payload, "sha").slice(0, ID_LENGTH), url: text(commit, "url") },
      ],
      url,
      color,
      lines: written(text(payload, "description")),
    };
  },
};

/** For events without a sentence of their own. */
const otherwise: Teller = (payload, repoUrl) => ({
  what: [{ text: text(payload, "action") || "Something happened" }],
  url: repoUrl,
  color: "yellow",
});

function branchOf(payload: Payload, repoUrl: string): Span[] {
  const name = text(payload, "ref").replace(/^refs\/(heads|tags)\//, "");
  const path = name.split("/").map(encodeURIComponent).join("/");
  return [{ text: ":" }, { text: name, url: `${repoUrl}/src/branch/${path}` }];
}

function push(payload: Payload): Said {
  const commits = parts(payload, "commits");
  const count = typeof payload["total_commits"] === "number" ? payload["total_commits"] : commits.length;
  const url = count > 1 ? text(payload, "compare_url") : text(commits[0], "url");
  const lines = commits.map((commit): Span[] => [
    { text: text(commit, "id").slice(0, ID_LENGTH), url: text(commit, "url") },
    { text: `: ${text(commit, "message").trimEnd()} - ${text(part(commit, "author"), "name")}` },
  ]);
  return {
    what: [{ text: count === 1 ? "1 new commit" : `${count} new commits`, url }, { text: " pushed" }],
    url,
    color: "green",
    lines,
    facts: [{ name: "Commit count:", value: String(count) }],
  };
}

function refTeller(done: "created" | "deleted", color: Color): Teller {
  return (payload, repoUrl) => {
    const name = text(payload, "ref");
    const kind = text(payload, "ref_type");
    const url = `${repoUrl}/src/${kind}/${name.split("/").map(encodeURIComponent).join("/")}`;
    const what = [
      { text: `${kind} ` },
      done === "created" ? { text: name, url } : { text: name },
      { text: ` ${done}` },
    ];
    return { what, url: done === "created" ? url : repoUrl, color, facts: [{ name: `${kind}:`, value: name }] };
  };
}

/** Actions on items in a word or two. */
const actions: Readonly<Record<string, string>> = {
  label_updated: "labels updated",
  label_cleared: "labels cleared",
  milestoned: "milestone set",
  demilestoned: "milestone cleared",
  review_requested: "review requested",
  review_request_removed: "review request removed",
};

function itemTeller(key: "issue" | "pull_request", noun: string): Teller {
  return (payload) => {
    const item = part(payload, key);
    const action = text(payload, "action");
    const isMerged = item["merged"] === true && action === "closed";
    const url = text(item, "html_url");
    const subject = `#${numberOf(item)} ${text(item, "title")}`;
    const done = isMerged ? "merged" : (actions[action] ?? action);
    return {
      what: [{ text: `${noun} ${done}: ` }, { text: subject, url }],
      url,
      color: itemColor(key, action, isMerged),
      lines: action === "opened" || action === "edited" ? written(text(item, "body")) : [],
      facts: [{ name: `${noun} #:`, value: numberOf(item) }],
    };
  };
}

function itemColor(key: "issue" | "pull_request", action: string, isMerged: boolean): Color {
  if (isMerged) return "purple";
  if (action === "closed" || action === "deleted") return "red";
  if (action === "opened" || action === "reopened") return key === "issue" ? "orange" : "green";
  return "yellow";
}

function commentTeller(noun: string): Teller {
  return (payload) => {
    const item = part(payload, "issue");
    const comment = part(payload, "comment");
    const action = text(payload, "action");
    const subject = `#${numberOf(item)} ${text(item, "title")}`;
    const url = text(comment, "html_url");
    const verb = action === "created" ? "New comment" : `Comment ${action}`;
    return {
      what: [{ text: `${verb} on ${noun} ` }, { text: subject, url }],
      url,
      color: action === "created" ? "lightOrange" : action === "deleted" ? "red" : "yellow",
      lines: written(text(comment, "body")),
      facts: [{ name: `${noun} #:`, value: numberOf(item) }],
    };
  };
}

function reviewTeller(verdict: string, color: Color): Teller {
  return (payload) => {
    const item = part(payload, "pull_request");
    const url = text(item, "html_url");
    return {
      what: [{ text: `Pull request ${verdict}: ` }, { text: `#${numberOf(item)} ${text(item, "title")}`, url }],
      url,
      color,
      lines: written(text(part(payload, "review"), "content")),
      facts: [{ name: "Pull request #:", value: numberOf(item) }],
    };
  };
}

function written(body: string): Span[][] {
  return body.trim() === "" ? [] : body.split("\n").map((line) => [{ text: line }]);
}

function part(payload: Payload | undefined, key: string): Payload {
  const value = payload?.[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function parts(payload: Payload, key: string): Payload[] {
  const value = payload[key];
  return Array.isArray(value) ? value.map((item: unknown) => part({ item }, "item")) : [];
}

function text(payload: Payload | undefined, key: string): string {
  const value = payload?.[key];
  return typeof value === "string" ? value : "";
}

function numberOf(payload: Payload): string {
  const value = payload["number"];
  return typeof value === "number" ? String(value) : "";
}

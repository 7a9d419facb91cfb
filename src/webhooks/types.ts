import type { EventType, HookEvent } from "./event-names.ts";

export const hookTypes = [
  "gitea",
  "gogs",
  "forgejo",
  "slack",
  "discord",
  "dingtalk",
  "telegram",
  "msteams",
  "feishu",
  "matrix",
  "wechatwork",
  "packagist",
] as const;
export type HookType = (typeof hookTypes)[number];

/** Whether events of hooks of that type are told as they are; others get a message made of them. */
export function isNative(type: HookType): boolean {
  return type === "gitea" || type === "gogs" || type === "forgejo";
}

export const contentTypes = ["json", "form"] as const;
export type HookContentType = (typeof contentTypes)[number];

/** Whose events a hook hears; a default hook hears none and is copied into each new repository. */
export type HookLevel = "repository" | "account" | "system" | "default";

/** Where hooks belong, after it was found that the principal may manage them there. */
export interface HookHome {
  readonly levels: readonly HookLevel[];
  readonly repoId: number | undefined;
  readonly ownerId: number | undefined;
}

/** Which events a hook hears: pushes, all there are or will be, or those chosen. */
export type HookMode = "push" | "everything" | "chosen";

/** What only some types have; empty where it was not given. */
export type HookSettings = Readonly<Record<string, string>>;

export interface Webhook {
  readonly id: number;
  readonly level: HookLevel;
  readonly repoId: number | undefined;
  readonly ownerId: number | undefined;
  readonly name: string;
  readonly type: HookType;
  readonly url: string;
  readonly method: "POST" | "GET";
  readonly contentType: HookContentType;
  readonly settings: HookSettings;
  /** Whether it has them; the values are opened only to send. */
  readonly hasSecret: boolean;
  readonly hasAuthorization: boolean;
  readonly hasToken: boolean;
  readonly mode: HookMode;
  readonly events: readonly HookEvent[];
  readonly branchFilter: string;
  readonly isActive: boolean;
  /** Of the last delivery; undefined: there was none. */
  readonly lastSucceeded: boolean | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What a hook keeps sealed. */
export interface HookSecrets {
  /** Signs what is sent. */
  readonly secret: string;
  /** The whole value of the header. */
  readonly authorization: string;
  /** Of its type: a bot's, a feed's. */
  readonly token: string;
}

/** Values of a new hook, checked. */
export interface HookValues
  extends Pick<
    Webhook,
    "name" | "type" | "url" | "method" | "contentType" | "settings" | "mode" | "events" | "branchFilter" | "isActive"
  > {
  readonly secrets: HookSecrets;
}

/** What is changed of a hook; absent: it stays. */
export type HookEdit = Partial<Omit<HookValues, "secrets" | "type">> & { readonly secrets?: Partial<HookSecrets> };

/** One event on its way to one hook, or there. */
export interface Delivery {
  readonly id: number;
  readonly hookId: number;
  readonly uuid: string;
  readonly eventType: EventType;
  /** JSON; undefined: not made yet. */
  readonly payload: string | undefined;
  /** What the payload is made of. */
  readonly source: string | undefined;
  readonly isSent: boolean;
  /** Milliseconds since 1970. */
  readonly sentAt: number | undefined;
  readonly succeeded: boolean | undefined;
  readonly request: SentRequest | undefined;
  readonly response: GotResponse | undefined;
  readonly createdAt: number;
}

/** A request as it is kept: what it proved itself with is left out. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: the payload itself. */
  readonly body?: string | undefined;
}

export interface GotResponse {
  /** 0: there was none, and `body` says why. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

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

/** Whether hooks of that type get the events themselves; others get a message made from them. */
export function isNative(type: HookType): boolean {
  return type === "gitea" || type === "gogs" || type === "forgejo";
}

export const contentTypes = ["json", "form"] as const;
export type HookContentType = (typeof contentTypes)[number];

/** Whose events trigger a hook; a default hook is triggered by none and copied into each new repository. */
export type HookLevel = "repository" | "account" | "system" | "default";

/** Where hooks belong, obtained by checking that the principal may manage them there. */
export interface HookHome {
  readonly levels: readonly HookLevel[];
  readonly repoId: number | undefined;
  readonly ownerId: number | undefined;
}

/** Which events trigger a hook: pushes, all present and future ones, or those chosen. */
export type HookMode = "push" | "everything" | "chosen";

/** Settings specific to a type; empty if not given. */
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
  /** Whether it has any; the values are only decrypted for sending. */
  readonly hasSecret: boolean;
  readonly hasAuthorization: boolean;
  readonly hasToken: boolean;
  readonly mode: HookMode;
  readonly events: readonly HookEvent[];
  readonly branchFilter: string;
  readonly isActive: boolean;
  /** Whether the last delivery succeeded; undefined: there was none. */
  readonly lastSucceeded: boolean | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The sealed values of a hook. */
export interface HookSecrets {
  /** The key for signing deliveries. */
  readonly secret: string;
  /** The whole value of the header. */
  readonly authorization: string;
  /** Specific to the type: a bot's, a feed's. */
  readonly token: string;
}

/** Validated values of a new hook. */
export interface HookValues
  extends Pick<
    Webhook,
    "name" | "type" | "url" | "method" | "contentType" | "settings" | "mode" | "events" | "branchFilter" | "isActive"
  > {
  readonly secrets: HookSecrets;
}

/** Changes to a hook; absent fields stay as they are. */
export type HookEdit = Partial<Omit<HookValues, "secrets" | "type">> & { readonly secrets?: Partial<HookSecrets> };

/** One event for one hook, sent or waiting. */
export interface Delivery {
  readonly id: number;
  readonly hookId: number;
  readonly uuid: string;
  readonly eventType: EventType;
  /** JSON; undefined: not built yet. */
  readonly payload: string | undefined;
  /** What the payload is built from. */
  readonly source: string | undefined;
  readonly isSent: boolean;
  /** Milliseconds since 1970. */
  readonly sentAt: number | undefined;
  readonly succeeded: boolean | undefined;
  readonly request: SentRequest | undefined;
  readonly response: GotResponse | undefined;
  readonly createdAt: number;
}

/** A request as stored: without credentials. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: it is the payload itself. */
  readonly body?: string | undefined;
}

export interface GotResponse {
  /** 0: there was no response, and `body` says why. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

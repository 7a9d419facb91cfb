import { trimEndOf } from "../../git/text-ends.ts";
import { hmacSha256 } from "../../kernel/ids.ts";
import type { EventType } from "../event-names.ts";
import type { HookSecrets, HookType, Webhook } from "../types.ts";
import {
  type ChatMessage,
  html,
  type Markup,
  markdown,
  plain,
  type Span,
  withActor,
  written,
  writtenLines,
} from "./message.ts";
import { chatMessageOf } from "./translate.ts";

/** A request to a chat service (contract webhooks.md 3). */
export interface ChatRequest {
  readonly method: "POST" | "PUT";
  readonly url: string;
  readonly body: string;
  /** In addition to the hook's own headers. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Sent without the event and signature headers. */
  readonly isBare?: boolean;
}

/** The input for building a service's request. */
interface Told {
  readonly hook: Webhook;
  readonly secrets: HookSecrets;
  readonly type: EventType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly message: ChatMessage;
  /** Seconds since 1970. */
  readonly now: number;
}

type Writer = (told: Told) => ChatRequest;

/** Maximum size of a message in a Matrix room. */
const MATRIX_BYTES = 64 * 1024;
const DISCORD_TEXT = 2_000;
const DISCORD_LINE = 50;

const json = (body: object) => JSON.stringify(body, undefined, 2);
const posted = ({ hook }: Told, body: object): ChatRequest => ({ method: "POST", url: hook.url, body: json(body) });

const slackMarkup: Markup = {
  text: (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  link: (text, url) => `<${url}|${slackMarkup.text(text).replaceAll("|", "¦")}>`,
};

/** The line with its actor, and the text below it. */
function whole(message: ChatMessage, markup: Markup): string {
  const below = writtenLines(message, markup);
  return written(withActor(message), markup) + (below === "" ? "" : `\n${below}`);
}

const writers: Partial<Record<HookType, Writer>> = {
  slack: (told) => {
    const { hook, message } = told;
    const { channel = "", color = "", icon_url = "", username = "" } = hook.settings;
    const below = writtenLines(message, slackMarkup);
    const attachment = {
      fallback: written(message.line, plain),
      color: color || `#${message.color}`,
      title: "",
      title_link: message.url,
      text: below,
    };
    return posted(told, {
      channel,
      text: written(withActor(message), slackMarkup),
      username,
      icon_url,
      unfurl_links: 0,
      link_names: 0,
      attachments: below === "" ? [] : [attachment],
    });
  },
  discord: (told) => {
    const { hook, message } = told;
    const { icon_url, username } = hook.settings;
    const lines = told.type === "push" ? message.lines.map(shortened) : message.lines;
    return posted(told, {
      wait: false,
      content: "",
      ...(username ? { username } : {}),
      ...(icon_url ? { avatar_url: icon_url } : {}),
      tts: false,
      embeds: [
        {
          title: written(message.line, plain),
          description: [...writtenLines({ ...message, lines }, markdown)].slice(0, DISCORD_TEXT).join(""),
          url: message.url,
          color: Number.parseInt(message.color, 16),
          footer: { text: "" },
          author: { name: message.actor.name, url: message.actor.url, icon_url: message.actor.avatarUrl },
          fields: null,
        },
      ],
    });
  },
  dingtalk: (told) => {
    const { message } = told;
    const text = whole(message, plain);
    if (told.type === "repository" && told.payload["action"] === "deleted")
      return posted(told, { msgtype: "text", text: { content: text } });
    const target = encodeURIComponent(message.url);
    return posted(told, {
      msgtype: "actionCard",
      actionCard: {
        text,
        title: written(message.line, plain),
        hideAvatar: "0",
        singleTitle: "view",
        singleURL: `dingtalk://dingtalkclient/page/link?pc_slide=false&url=${target}`,
      },
    });
  },
  telegram: (told) => {
    const { hook, message, secrets } = told;
    const { chat_id = "", thread_id = "" } = hook.settings;
    const query = new URLSearchParams({ chat_id, ...(thread_id ? { message_thread_id: thread_id } : {}) });
    const url = secrets.token
      ? `https://api.telegram.org/bot${encodeURIComponent(secrets.token)}/sendMessage?${query}`
      : hook.url;
    const body = { text: whole(message, html), parse_mode: "HTML", disable_web_page_preview: true };
    return { method: "POST", url, body: json(body) };
  },
  msteams: (told) => {
    const { message } = told;
    const title = written(message.line, plain);
    return posted(told, {
      "@type": "MessageCard",
      "@context": "https://schema.org/extensions",
      themeColor: message.color,
      title,
      summary: title,
      sections: [
        {
          activityTitle: message.actor.name,
          activitySubtitle: message.actor.name,
          activityImage: message.actor.avatarUrl,
          facts: message.facts,
          text: writtenLines(message, markdown),
        },
      ],
      potentialAction: [{ "@type": "OpenUri", name: "View", targets: [{ os: "default", uri: message.url }] }],
    });
  },
  feishu: (told) => {
    const { message, now, secrets } = told;
    const text = whole(message, plain);
    const signed =
      secrets.secret === "" ? {} : { timestamp: now, sign: hmacSha256(`${now}\n${secrets.secret}`, "", "base64") };
    return { ...posted(told, { ...signed, msg_type: "text", content: { text } }), isBare: true };
  },
  matrix: (told) => {
    const { hook, message, secrets } = told;
    const { homeserver_url = "", message_type = "1", room_id = "" } = hook.settings;
    const body = json({
      body: whole(message, markdown),
      msgtype: message_type === "2" ? "m.text" : "m.notice",
      format: "org.matrix.custom.html",
      formatted_body: whole(message, html).replaceAll("\n", "<br>"),
      ...(told.type === "push" ? { "io.gitea.commits": told.payload["commits"] } : {}),
    });
    if (Buffer.byteLength(body) >= MATRIX_BYTES) throw new TypeError("the message is too long for a Matrix room");
    const room = encodeURIComponent(room_id).replaceAll("%3A", ":");
    const transaction = new Bun.CryptoHasher("sha1").update(body).digest("hex");
    const home = trimEndOf(homeserver_url, "/");
    const url = homeserver_url
      ? `${home}/_matrix/client/r0/rooms/${room}/send/m.room.message/${transaction}`
      : hook.url;
    const credentials = secrets.token ? { credentials: { authorization: `Bearer ${secrets.token}` } } : {};
    return { method: "PUT", url, body, ...credentials };
  },
  wechatwork: (told) =>
    posted(told, {
      msgtype: "markdown",
      text: { content: "", mentioned_list: [], mentioned_mobile_list: [] },
      markdown: { content: whole(told.message, markdown) },
    }),
  packagist: (told) => {
    const { hook, secrets, type } = told;
    const { package_url = "", username = "" } = hook.settings;
    const query = new URLSearchParams({ username, apiToken: secrets.token });
    const url = secrets.token ? `https://packagist.org/api/update-package?${query}` : hook.url;
    return { method: "POST", url, body: json({ repository: { url: type === "push" ? package_url : "" } }) };
  },
};

/** A commit's line: only the first line of its message, shortened. */
function shortened(line: readonly Span[]): readonly Span[] {
  return line.map(({ text, url }) => {
    if (url !== undefined) return { text, url };
    const first = text.split("\n")[0] ?? "";
    return { text: first.length > DISCORD_LINE ? `${first.slice(0, DISCORD_LINE)}…` : first };
  });
}

/** The request to a chat service. undefined: the hook gets the events themselves */
export function chatRequest(
  hook: Webhook,
  secrets: HookSecrets,
  event: { readonly type: EventType; readonly payload: string; readonly now: number },
): ChatRequest | undefined {
  const writer = writers[hook.type];
  if (!writer) return undefined;
  // Created by `happenings`.
  const payload = JSON.parse(event.payload) as Record<string, unknown>;
  const message = chatMessageOf(event.type, payload);
  return writer({ hook, secrets, type: event.type, payload, message, now: Math.floor(event.now / 1000) });
}

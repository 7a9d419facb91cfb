import { parseIpRange } from "../../kernel/ip.ts";
import { parseListen } from "../listen.ts";
import type { Setting } from "../setting.ts";

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

const _address = (value: string): string | undefined =>
  value === "" || /^[^\s<>@"]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value)
    ? undefined
    : "must be an e-mail address";

/** The site as a whole: its address, who may use it, and which servers it may connect to. */
export const siteSettings = {
  data: {
    type: { kind: "text" },
    standard: "data",
    doc: "The folder that holds everything: database, repositories, uploads and secrets. This is what to back up.",
  },
  listen: {
    type: { kind: "text", check: listenAddress },
    standard: "127.0.0.1:3000",
    doc: "Address and port to listen on.",
  },
  "federation.enabled": {
    type: { kind: "flag" },
    standard: false,
    doc: "Let other servers find people here (WebFinger), read their public profiles (ActivityPub) and learn about this server (NodeInfo).",
  },
  "federation.share_statistics": {
    type: { kind: "flag" },
    standard: true,
    doc: "Tell other servers how many people use this one.",
  },
  "federation.max_mib": {
    type: { kind: "number", least: 1, most: 64 },
    standard: 4,
    doc: "The largest message accepted from another server, and the largest answer read from one, in MiB.",
  },
  root_url: {
    type: { kind: "text", check: webAddress },
    standard: "",
    doc: "The address people use, such as https://git.example.org/. Links and clone URLs are made from it. Empty: made from `listen`.",
  },
  name: { type: { kind: "text" }, standard: "Hearth", doc: "The name of the site." },
  banner: {
    type: { kind: "text" },
    standard: "",
    doc: "A message shown at the top of every page, such as planned maintenance. Readers can dismiss it for two days. Empty: no message.",
  },
  registration: {
    type: { kind: "choice", of: ["open", "first", "closed"] },
    standard: "first",
    doc: "Who may create an account in the browser: everyone, only the very first person (who becomes administrator), or no one.",
  },
  require_signin: { type: { kind: "flag" }, standard: false, doc: "Show nothing to visitors who are not signed in." },
  "network.allow": {
    type: { kind: "list", check: networkEntry },
    standard: ["external"],
    doc: "Where the server itself may connect to (webhooks, mirrors, imports): external, loopback, private, host names (`*.lan`), address ranges (`10.0.0.0/8`), or `*` for everywhere.",
  },
} as const satisfies Record<string, Setting>;

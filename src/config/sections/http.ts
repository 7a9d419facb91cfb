import type { Setting } from "../setting.ts";

const _address = (value: string): string | undefined =>
  value === "" || /^[^\s<>@"]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value)
    ? undefined
    : "must be an e-mail address";

/** Limits of requests and responses. */
export const httpSettings = {
  "api.page_size": {
    type: { kind: "number", least: 1, most: 1000 },
    standard: 30,
    doc: "Items on a page when the client does not say.",
  },
  "api.largest_page": {
    type: { kind: "number", least: 1, most: 1000 },
    standard: 50,
    doc: "The maximum number of items on a page.",
  },
  "api.swagger": { type: { kind: "flag" }, standard: true, doc: "Serve the API document and its pages." },
  "http.max_body_mib": {
    type: { kind: "number", least: 1, most: 4096 },
    standard: 64,
    doc: "The largest JSON or form body, in MiB. Git pushes have limits of their own.",
  },
  "http.body_memory_mib": {
    type: { kind: "number", least: 1, most: 65_536 },
    standard: 96,
    doc: "Memory for all JSON, form and fetch request bodies at any one time, in MiB; requests beyond it are answered 503. One address may use half of it. At least `http.max_body_mib`.",
  },
  "http.body_seconds": {
    type: { kind: "number", least: 1, most: 3600 },
    standard: 30,
    doc: "Seconds a JSON or form body may take to arrive, plus one second for each 64 KiB of it.",
  },
  "http.max_connections": {
    type: { kind: "number", least: 0, most: 1 << 20 },
    standard: 0,
    doc: "Connections that may be open at the same time (Linux). 0: 4096, or as many as the open files limit allows after a reserve of 128.",
  },
  "http.connections_per_address": {
    type: { kind: "number", least: 1, most: 1 << 20 },
    standard: 256,
    doc: "Connections that one address (for IPv6: one /64) may have open at the same time (Linux). Trusted proxies are exempt.",
  },
} as const satisfies Record<string, Setting>;

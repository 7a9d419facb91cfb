import { parseIpRange } from "../../kernel/ip.ts";
import type { Setting } from "../setting.ts";

const proxyEntry = (value: string): string | undefined =>
  parseIpRange(value) || /^(private|loopback)$/i.test(value)
    ? undefined
    : "must be private, loopback, an address or a range such as 10.0.0.0/8";

const headerName = (value: string): string | undefined =>
  /^[A-Za-z0-9-]{1,100}$/.test(value) ? undefined : "must be the name of a header";

const _address = (value: string): string | undefined =>
  value === "" || /^[^\s<>@"]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value)
    ? undefined
    : "must be an e-mail address";

/** Reverse proxies in front of the server, and sign-in through them. */
export const proxySettings = {
  "proxy.trusted": {
    type: { kind: "list", check: proxyEntry },
    standard: [],
    doc: "Reverse proxies whose X-Forwarded-For is trusted: addresses, ranges such as 10.0.0.0/8, private, loopback. Empty: none.",
  },
  "proxy.sign_in": {
    type: { kind: "choice", of: ["off", "pages", "everywhere"] },
    standard: "off",
    doc: "Whether the proxies in `proxy.trusted` may say in a header who is signed in: not at all, on pages, or on pages and over REST. The proxy must strip these headers from client requests.",
  },
  "proxy.sign_in_header": {
    type: { kind: "text", check: headerName },
    standard: "X-WEBAUTH-USER",
    doc: "The header that carries the account name.",
  },
  "proxy.sign_in_email_header": {
    type: { kind: "text", check: headerName },
    standard: "X-WEBAUTH-EMAIL",
    doc: "The header that carries the e-mail address.",
  },
  "proxy.sign_in_name_header": {
    type: { kind: "text", check: headerName },
    standard: "X-WEBAUTH-FULLNAME",
    doc: "The header that carries the full name.",
  },
  "proxy.sign_in_by_email": {
    type: { kind: "flag" },
    standard: false,
    doc: "If no account has the name the proxy sends, look for one with the e-mail address it sends.",
  },
  "proxy.sign_in_registers": {
    type: { kind: "flag" },
    standard: false,
    doc: "Create an account for people named by the proxy who do not have one yet.",
  },
} as const satisfies Record<string, Setting>;

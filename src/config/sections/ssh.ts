import { parseListen } from "../listen.ts";
import type { Setting } from "../setting.ts";

const listen = (value: string): string | undefined =>
  value === "" || parseListen(value) ? undefined : "must be ADDRESS:PORT, such as 0.0.0.0:2222, or empty";

const host = (value: string): string | undefined =>
  value === "" || /^(?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)$/.test(value)
    ? undefined
    : "must be the name of a host or an address; one of IPv6 in brackets";

const user = (value: string): string | undefined =>
  /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,31}$/.test(value) ? undefined : "must be a user name: letters, digits, -, _ and dots";

/** Git over SSH. */
export const sshSettings = {
  "ssh.listen": {
    type: { kind: "text", check: listen },
    standard: "",
    doc: "Where to take git over SSH, as ADDRESS:PORT: `0.0.0.0:2222` for every address of IPv4, `[::]:2222` for IPv6 as well. Empty: not at all.",
  },
  "ssh.user": {
    type: { kind: "text", check: user },
    standard: "git",
    doc: "The user name that everyone signs in with over SSH; keys tell who they are.",
  },
  "ssh.domain": {
    type: { kind: "text", check: host },
    standard: "",
    doc: "The host in clone addresses of SSH. Empty: that of `root_url`.",
  },
  "ssh.port": {
    type: { kind: "number", least: 0, most: 65535 },
    standard: 0,
    doc: "The port in clone addresses of SSH, where a router or a container leads another one to that of `ssh.listen`. 0: the same.",
  },
  "ssh.show_to_visitors": {
    type: { kind: "flag" },
    standard: false,
    doc: "Show clone addresses of SSH to visitors who have not signed in, too. They need an account and a key to use one.",
  },
  "ssh.max_connections": {
    type: { kind: "number", least: 1, most: 65536 },
    standard: 200,
    doc: "Connections over SSH that may be open at one time.",
  },
  "ssh.connections_per_address": {
    type: { kind: "number", least: 1, most: 65536 },
    standard: 32,
    doc: "Connections over SSH that one address (of IPv6: one /64) may have open at one time.",
  },
  "ssh.handshake_seconds": {
    type: { kind: "number", least: 1, most: 600 },
    standard: 15,
    doc: "Seconds that a client of SSH has to agree on keys. To show its own it then has four times as many, for people who must touch one.",
  },
  "ssh.idle_seconds": {
    type: { kind: "number", least: 5, most: 86400 },
    standard: 600,
    doc: "Seconds after which a connection over SSH ends on which no command runs, and a push that sends nothing.",
  },
} as const satisfies Record<string, Setting>;

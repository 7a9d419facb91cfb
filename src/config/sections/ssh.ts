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
    doc: "Where to accept git over SSH, as ADDRESS:PORT: `0.0.0.0:2222` for every IPv4 address, `[::]:2222` for IPv6 as well. Empty: SSH is off.",
  },
  "ssh.user": {
    type: { kind: "text", check: user },
    standard: "git",
    doc: "The user name that everyone uses over SSH; keys tell who they are.",
  },
  "ssh.domain": {
    type: { kind: "text", check: host },
    standard: "",
    doc: "The host in SSH clone addresses. Empty: the host of `root_url`.",
  },
  "ssh.port": {
    type: { kind: "number", least: 0, most: 65535 },
    standard: 0,
    doc: "The port in SSH clone addresses, if a router or container forwards a different port to the one in `ssh.listen`. 0: the same port.",
  },
  "ssh.show_to_visitors": {
    type: { kind: "flag" },
    standard: false,
    doc: "Show SSH clone addresses to visitors who are not signed in, too. They still need an account and a key to use one.",
  },
  "ssh.max_connections": {
    type: { kind: "number", least: 1, most: 65536 },
    standard: 200,
    doc: "SSH connections that may be open at the same time.",
  },
  "ssh.connections_per_address": {
    type: { kind: "number", least: 1, most: 65536 },
    standard: 32,
    doc: "SSH connections that one address (for IPv6: one /64) may have open at the same time.",
  },
  "ssh.handshake_seconds": {
    type: { kind: "number", least: 1, most: 600 },
    standard: 15,
    doc: "Seconds that an SSH client has for the key exchange. It then has four times as long to authenticate, for people who have to touch a security key.",
  },
  "ssh.idle_seconds": {
    type: { kind: "number", least: 5, most: 86400 },
    standard: 600,
    doc: "Seconds after which an SSH connection is closed if no command is running, or if a push sends nothing.",
  },
} as const satisfies Record<string, Setting>;

import { createPrivateKey, type KeyObject } from "node:crypto";
import { WireReader } from "../../../src/keys/ssh/wire.ts";

/** An unencrypted private key in OpenSSH's own form, for node:crypto, which does not read it. */
export function openSshPrivateKey(pem: string): KeyObject {
  const body = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64");
  const outer = new WireReader(body.subarray("openssh-key-v1\0".length));
  outer.string(); // cipher
  outer.string(); // kdf
  outer.string(); // kdf's options
  outer.uint32();
  outer.string(); // public key
  const inner = new WireReader(outer.string());
  inner.uint32();
  inner.uint32();
  const type = inner.text();
  const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  if (type === "ssh-ed25519") {
    const x = inner.string();
    return createPrivateKey({
      key: { kty: "OKP", crv: "Ed25519", x: b64(x), d: b64(inner.string().subarray(0, 32)) },
      format: "jwk",
    });
  }
  if (type === "ssh-rsa") {
    const [n, e, d, qi, p, q] = Array.from({ length: 6 }, () => inner.number());
    const big = (bytes: Uint8Array | undefined) => BigInt(`0x${Buffer.from(bytes ?? []).toString("hex")}`);
    const hex = (value: bigint) =>
      Buffer.from(value.toString(16).padStart(value.toString(16).length + (value.toString(16).length % 2), "0"), "hex");
    const [dp, dq] = [p, q].map((prime) => hex(big(d) % (big(prime) - 1n)));
    const numbers = { n, e, d, p, q, dp, dq, qi };
    const key = Object.fromEntries(
      Object.entries(numbers).map(([name, bytes]) => [name, b64(bytes ?? new Uint8Array())]),
    );
    return createPrivateKey({ key: { kty: "RSA", ...key }, format: "jwk" });
  }
  inner.text(); // curve
  const point = inner.string();
  const half = (point.length - 1) / 2;
  const scalar = Buffer.from(inner.number());
  const crv = { 32: "P-256", 48: "P-384", 66: "P-521" }[half] ?? "";
  const d = b64(Buffer.concat([Buffer.alloc(half - scalar.length), scalar]));
  return createPrivateKey({
    key: { kty: "EC", crv, x: b64(point.subarray(1, 1 + half)), y: b64(point.subarray(1 + half)), d },
    format: "jwk",
  });
}

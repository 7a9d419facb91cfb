import { randomBytes } from "../../src/kernel/ids.ts";

/**
 * Stands for the nonce while a page is rendered; `page()` writes the response's own nonce in its place. Random, so that
 * no one can write it into a text that ends up on a page.
 */
export const NONCE_PLACEHOLDER = `nonce-${randomBytes(16).toString("hex")}`;

/** Stands for the milliseconds the page took, in the footer. */
export const ELAPSED_PLACEHOLDER = `elapsed-${randomBytes(16).toString("hex")}`;

/** A fresh nonce for one response (over 128 random bits), exactly as long as its placeholder. */
export function newNonce(): string {
  return randomBytes(NONCE_PLACEHOLDER.length).toString("base64url").slice(0, NONCE_PLACEHOLDER.length);
}

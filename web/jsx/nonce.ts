import { randomBytes } from "../../src/kernel/ids.ts";

/**
 * Stands in for the nonce while a page is rendered; `page()` replaces it with the response's nonce. Random, so that
 * nobody can put it into text that ends up on a page.
 */
export const NONCE_PLACEHOLDER = `nonce-${randomBytes(16).toString("hex")}`;

/** Stands in for the milliseconds the page took, in the footer. */
export const ELAPSED_PLACEHOLDER = `elapsed-${randomBytes(16).toString("hex")}`;

/** A fresh nonce for one response (over 128 random bits), exactly as long as its placeholder. */
export function newNonce(): string {
  return randomBytes(NONCE_PLACEHOLDER.length).toString("base64url").slice(0, NONCE_PLACEHOLDER.length);
}

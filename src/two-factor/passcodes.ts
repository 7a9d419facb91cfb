import { randomBytes } from "../kernel/ids.ts";
import { Secret } from "../secrets/secret.ts";

/** RFC 6238 with the parameters of every app: SHA-1, six digits, thirty seconds. The only module that knows otpauth. */
const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
/** Steps before and after the current one that are accepted, for clocks that differ. */
const WINDOW = 1;

export async function newPasscodeSecret(): Promise<Secret> {
  const { Secret: Base32 } = await import("otpauth");
  return new Secret(new Base32({ buffer: randomBytes(SECRET_BYTES).buffer }).base32);
}

/** The address encoded in the QR code for apps. */
export async function passcodeAddress(secret: Secret, issuer: string, account: string): Promise<string> {
  const { TOTP } = await import("otpauth");
  return new TOTP({ issuer, label: account, secret: secret.reveal() }).toString();
}

/** The step of a passcode; undefined if it matches none near `now`. */
export async function stepOfPasscode(secret: Secret, passcode: string, now: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(passcode)) return undefined;
  const { TOTP } = await import("otpauth");
  const totp = new TOTP({ secret: secret.reveal(), period: STEP_SECONDS });
  const delta = totp.validate({ token: passcode, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / STEP_SECONDS) + delta;
}

/** The first step whose passcode may still be valid. */
export function oldestStep(now: number): number {
  return Math.floor(now / 1000 / STEP_SECONDS) - WINDOW;
}

/** Removes separators that people type between the digits. */
export const tidyPasscode = (typed: string) => typed.replace(/[\s-]/g, "");

/** The second factors of an account. */
export interface Factors {
  /** Passcodes from an app (TOTP). */
  readonly passcodes: boolean;
  /** Passkeys and security keys. */
  readonly passkeys: boolean;
}

export interface Passkey {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** The browser's id for it, base64url. */
  readonly credentialId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
  /** Its counter once went backwards: someone has a copy of it. */
  readonly isCloned: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

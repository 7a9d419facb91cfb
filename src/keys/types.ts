/** An SSH public key: of an account, or of the repositories that have it as deploy key. */
export interface SshKey {
  readonly id: number;
  /** undefined: a deploy key. */
  readonly userId: number | undefined;
  readonly title: string;
  /** `ssh-ed25519 AAAA…` */
  readonly content: string;
  readonly comment: string;
  readonly fingerprint: string;
  readonly isReadOnly: boolean;
  /** Its owner has proven it by signing a token. */
  readonly isVerified: boolean;
  /** The sign-in source that manages it; 0: its owner added it. */
  readonly sourceId: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

/** A deploy key as added to one repository. */
export interface DeployKey {
  readonly id: number;
  readonly repoId: number;
  readonly keyId: number;
  readonly title: string;
  readonly isReadOnly: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
  readonly content: string;
  readonly comment: string;
  readonly fingerprint: string;
}

/** A principal in certificates that stands for an account. */
export interface SshPrincipal {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

/** An OpenPGP key, or a subkey of one. */
export interface GpgKey {
  readonly id: number;
  readonly userId: number;
  /** 16 upper-case hexadecimal digits. */
  readonly keyId: string;
  readonly fingerprint: string;
  readonly packet: Uint8Array;
  readonly canSign: boolean;
  readonly canEncryptComms: boolean;
  readonly canEncryptStorage: boolean;
  readonly isVerified: boolean;
  readonly expiresAt: number | undefined;
  readonly createdAt: number;
}

/** A key with its details. */
export interface WholeGpgKey extends GpgKey {
  /** The key id of the primary key; undefined: it is one itself. */
  readonly primaryKeyId: string | undefined;
  readonly subkeys: readonly GpgKey[];
  /** The identities that are an address of the owner, as the owner wrote it, and whether it is confirmed. */
  readonly emails: readonly { readonly email: string; readonly isVerified: boolean }[];
}

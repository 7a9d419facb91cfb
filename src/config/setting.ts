export type SettingKind =
  | { kind: "text"; check?: (value: string) => string | undefined }
  | { kind: "choice"; of: readonly string[] }
  | { kind: "flag" }
  | { kind: "number"; least: number; most: number }
  | { kind: "list"; check?: (value: string) => string | undefined };

export interface Setting {
  readonly type: SettingKind;
  readonly standard: string | boolean | number | readonly string[];
  readonly secret?: boolean;
  readonly doc: string;
}

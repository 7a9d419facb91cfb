/** The members of answers that tests of mirrors and imports look at. */
export interface Shown {
  readonly id: number;
  readonly name: string;
  readonly message: string;
  readonly owner: { readonly login: string };
  readonly description: string;
  readonly default_branch: string;
  readonly object_format_name: string;
  readonly empty: boolean;
  readonly original_url: string;
  readonly mirror_interval: string;
  readonly mirror_last_sync_at: string;
  readonly mirrors_disabled: boolean;
  readonly migrations_disabled: boolean;
  readonly content_base64: string;
  readonly remote_name: string;
  readonly remote_address: string;
  readonly interval: string;
  readonly last_update: string;
  readonly last_error: string;
}

export interface ShownActivity {
  readonly op_type: string;
  readonly ref_name: string;
  readonly content: string;
  readonly act_user: { readonly login: string };
}

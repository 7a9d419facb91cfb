/** That someone may do more or less than before: whoever lets people listen or wait asks again. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** `userId`: only that account's access changed; null: anyone's, to the repository or owner of the envelope. */
    "access.changed": { readonly userId: number | null };
  }
}

export {};

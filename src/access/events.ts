/** Someone's access has grown or shrunk: whoever keeps subscriptions or waiting requests open must check again. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** `userId`: only that account's access changed; null: anyone's, to the envelope's repository or owner. */
    "access.changed": { readonly userId: number | null };
  }
}

export {};

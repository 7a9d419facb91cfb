import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { newRsaPems } from "../kernel/rsa-keys.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import type { SecretBox } from "../secrets/box.ts";
import { Secret } from "../secrets/secret.ts";
import * as store from "./store.ts";

const MODULUS_BITS = 3072;
/** Generating one takes a core for up to a second, and anyone may request anyone's. */
const AT_A_TIME = 1;
const MAX_WAITING = 50;

/** The keys of this site's actors, generated on first use and sealed in the database. */
export class ActorKeys {
  private readonly sealed: ReturnType<SecretBox["column"]>;
  private readonly turns = new Semaphore<"make">(AT_A_TIME, MAX_WAITING);

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    secrets: SecretBox,
  ) {
    this.sealed = secrets.column({ table: "actor_keys", column: "private_key", key: "actor" });
  }

  /** The public key of an account, or of the site if none is given, as PEM. @throws Overloaded */
  async publicKey(user?: Pick<User, "id">): Promise<string> {
    return (await this.keyOf(user?.id)).publicKey;
  }

  /** Signs as the site: RSA with SHA-256. */
  async signAsSite(text: string): Promise<Uint8Array> {
    const { sign } = process.getBuiltinModule("node:crypto");
    const { actor, privateKey } = await this.keyOf(undefined);
    return sign("sha256", Buffer.from(text), this.sealed.open(actor, privateKey).reveal());
  }

  private async keyOf(userId: number | undefined): Promise<store.StoredActorKey> {
    const actor = userId === undefined ? "site" : `user:${userId}`;
    const there = store.findKey(this.db, actor);
    if (there) return there;
    const leave = await this.turns.enter("make", NEVER);
    try {
      return store.findKey(this.db, actor) ?? (await this.make(actor, userId));
    } finally {
      leave();
    }
  }

  private async make(actor: string, userId: number | undefined): Promise<store.StoredActorKey> {
    const { publicKey, privateKey } = await newRsaPems(MODULUS_BITS, "pkcs8");
    const key = {
      actor,
      publicKey,
      privateKey: this.sealed.seal(actor, new Secret(privateKey)),
    };
    store.insertKey(this.db, key, userId, this.clock());
    return key;
  }
}

const NEVER = new AbortController().signal;

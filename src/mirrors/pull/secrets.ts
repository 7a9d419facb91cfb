import type { Database } from "../../db/database.ts";
import { parseRemoteAddress, type RemoteAddress } from "../../remotes/address.ts";
import type { SecretBox } from "../../secrets/box.ts";
import { Secret } from "../../secrets/secret.ts";
import * as store from "./store.ts";
import type { PullMirror } from "./types.ts";

/** Credentials of pull mirrors for other servers. */
export class PullMirrorSecrets {
  private readonly columns: Readonly<Record<store.SealedName, ReturnType<SecretBox["column"]>>>;

  constructor(
    private readonly db: Database,
    secrets: SecretBox,
  ) {
    const column = (name: store.SealedName) => secrets.column({ table: "pull_mirrors", column: name, key: "repo_id" });
    this.columns = { password: column("password"), lfs_endpoint: column("lfs_endpoint") };
  }

  /** The mirror's source address, with credentials. */
  addressOf({ address: text, repoId, username }: PullMirror): RemoteAddress {
    const address = parseRemoteAddress(text, "address");
    const password = this.open(repoId, "password");
    return username === "" && password === "" ? address : { ...address, credentials: { username, password } };
  }

  /** Empty: there is none. */
  open(repoId: number, name: store.SealedName): string {
    const sealed = store.sealedOf(this.db, repoId, name);
    return sealed === "" ? "" : this.columns[name].open(repoId, sealed).reveal();
  }

  /** Joins the running transaction. */
  seal(repoId: number, name: store.SealedName, value: string): void {
    store.setSealed(this.db, repoId, name, value === "" ? "" : this.columns[name].seal(repoId, new Secret(value)));
  }
}

import type { Database } from "../db/database.ts";
import type { RemoteCredentials } from "../remotes/address.ts";
import type { SecretBox } from "../secrets/box.ts";
import { Secret } from "../secrets/secret.ts";
import * as store from "./store.ts";
import type { RepoImport } from "./types.ts";

/** Credentials for the other server, sealed until the import is complete. */
export class ImportSecrets {
  private readonly sealed: ReadonlyMap<store.SealedName, ReturnType<SecretBox["column"]>>;

  constructor(
    private readonly db: Database,
    secrets: SecretBox,
  ) {
    this.sealed = new Map(
      store.sealedNames.map((column) => [
        column,
        secrets.column({ table: "repository_imports", column, key: "repo_id" }),
      ]),
    );
  }

  /** Joins the running transaction. */
  seal(repoId: number, given: Readonly<Record<store.SealedName, string>>): void {
    for (const [name, column] of this.sealed)
      if (given[name] !== "") store.setSealed(this.db, repoId, name, column.seal(repoId, new Secret(given[name])));
  }

  /** The given user name, password and token; empty where there is none. */
  credentialsOf(entry: RepoImport): RemoteCredentials & { readonly token: string } {
    const { repoId, username } = entry;
    return { username, password: this.open(repoId, "password"), token: this.open(repoId, "token") };
  }

  /** The LFS endpoint; empty: not given. */
  lfsEndpointOf({ repoId }: RepoImport): string {
    return this.open(repoId, "lfs_endpoint");
  }

  private open(repoId: number, name: store.SealedName): string {
    const sealed = store.sealedOf(this.db, repoId, name);
    return sealed === "" ? "" : (this.sealed.get(name)?.open(repoId, sealed).reveal() ?? "");
  }
}

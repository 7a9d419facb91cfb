import { Failure } from "../../kernel/errors.ts";
import type { ReleaseAssets } from "../../releases/assets/service.ts";
import type { ReleaseService } from "../../releases/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Forge, ForgeAsset } from "../forge/types.ts";
import { isOnlyThatFile, takenOrNot } from "./taken.ts";
import type { ItemTask } from "./types.ts";

export interface ReleaseNeeds {
  readonly releaseAssets: ReleaseAssets;
  readonly releases: ReleaseService;
}

/** Imports releases with those of their files that are allowed here. */
export class ReleaseBringer {
  constructor(private readonly needs: ReleaseNeeds) {}

  async releases({ forge, onProgress, seen }: ItemTask): Promise<void> {
    const { releases } = this.needs;
    let count = 0;
    for await (const page of forge.releases())
      for (const { assets, ...given } of page) {
        count++;
        const release = takenOrNot(() => releases.bring(seen, { ...given, title: given.title || given.tag }));
        if (release) for (const asset of assets) await this.asset(forge, seen, release.id, asset);
        onProgress(count);
      }
  }

  private async asset(forge: Forge, seen: SeenRepo, releaseId: number, asset: ForgeAsset): Promise<void> {
    const { releaseAssets, releases } = this.needs;
    const { name, url } = asset;
    const release = releases.get(seen, releaseId);
    if (url === "" || releaseAssets.of(release).some((each) => each.name === name)) return;
    try {
      const bytes = await forge.file(asset, releaseAssets.maxBytes);
      using upload = await releaseAssets.receive(bytes, name);
      releaseAssets.add(seen, release, upload);
    } catch (error) {
      // The release is useful without it.
      if (!(error instanceof Failure) || !isOnlyThatFile(error)) throw error;
    }
  }
}

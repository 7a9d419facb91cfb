import type { ForgeClient } from "./client.ts";
import { aboutOf, labelOf, milestoneOf } from "./shapes.ts";
import type { ForgeAbout, ForgeAsset, ForgeLabel, ForgeMilestone, Pages } from "./types.ts";

/** What GitHub and the Gitea family provide in the same form at the same addresses. */
export class RestForge {
  constructor(protected readonly client: ForgeClient) {}

  async about(): Promise<ForgeAbout> {
    return aboutOf(await this.client.get(""));
  }

  async *labels(): Pages<ForgeLabel> {
    for await (const page of this.client.pages("/labels")) yield page.map(labelOf);
  }

  async *milestones(): Pages<ForgeMilestone> {
    for await (const page of this.client.pages("/milestones?state=all")) yield page.map(milestoneOf);
  }

  file({ url }: Pick<ForgeAsset, "url">, maxBytes: number): Promise<ReadableStream<Uint8Array>> {
    return this.client.file(url, maxBytes);
  }
}

import { BadRequest, NotFound } from "../../../kernel/errors.ts";
import type { NewFile } from "../../publishing.ts";
import type { ReceivedContent, SeenPackages } from "../../types.ts";
import type { RegistryKit, Upload } from "../kit.ts";
import { readNugetPackage } from "./parse.ts";
import { SYMBOL_ID } from "./search.ts";
import { readSymbol, readSymbols } from "./symbols.ts";

/** Publishes a package, with its nuspec as a separate file. @throws BadRequest, Conflict */
export async function publishPackage(kit: RegistryKit, seen: SeenPackages, { content }: Upload): Promise<Response> {
  const { packageContents, pool } = kit.services;
  const read = await readNugetPackage(pool, Bun.file(content.path));
  const { id, metadata, version } = read;
  if (read.isSymbols) throw new BadRequest("packages.nuget-type");
  using nuspec = await packageContents.receiveBytes(read.nuspec, { principal: seen.principal, type: "nuget" });
  return kit.publish(seen, {
    version: { name: id, version, metadata },
    createsVersion: true,
    files: [
      { name: `${id}.${version}.nupkg`.toLowerCase(), isLead: true, content },
      { name: `${id}.nuspec`.toLowerCase(), content: nuspec },
    ],
  });
}

/** Publishes the symbols of an existing version. @throws BadRequest, Conflict, NotFound */
export async function publishSymbols(kit: RegistryKit, seen: SeenPackages, { content }: Upload): Promise<Response> {
  const { packageContents, packages, pool } = kit.services;
  const file = Bun.file(content.path);
  const { entries, id, isSymbols, version } = await readNugetPackage(pool, file);
  if (!isSymbols) throw new BadRequest("packages.nuget-type");
  const symbols = await readSymbols(file, entries);
  packages.version(seen, "nuget", id, version);
  using held = new DisposableStack();
  const receive = async (bytes: Uint8Array): Promise<ReceivedContent> =>
    held.use(await packageContents.receiveBytes(bytes, { principal: seen.principal, type: "nuget" }));
  const files: NewFile[] = [{ name: `${id}.${version}.snupkg`.toLowerCase(), content }];
  for (const { entry, id: key, name } of symbols)
    files.push({
      name,
      compositeKey: key,
      content: await receive(await readSymbol(file, entry)),
      properties: [{ name: SYMBOL_ID, value: key }],
    });
  return kit.publish(seen, {
    version: { name: id, version },
    files,
    also: (_, isNew) => {
      // The version was deleted meanwhile.
      if (isNew) throw new NotFound("packages.missing");
    },
  });
}

import { plain } from "../../../http/respond.ts";
import { type Call, param, type Route } from "../../../http/route.ts";
import { BadRequest } from "../../../kernel/errors.ts";
import { textOf } from "../../../kernel/json.ts";
import { segment } from "../../../kernel/url-path.ts";
import type { Services } from "../../../services.ts";
import type { PackageFile, PackageVersion, SeenPackages } from "../../types.ts";
import { RegistryKit, type Upload } from "../kit.ts";
import { compact, metadataOf, urlOf } from "../metadata.ts";

const NAME = /^([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9.\-_]*[a-zA-Z0-9])$/;
/** PEP 440, in lower case. */
const VERSION =
  /^v?(\d+!)?\d+(\.\d+)*([-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?\d*)?(-\d+|[-_.]?(post|rev|r)[-_.]?\d*)?([-_.]?dev[-_.]?\d*)?(\+[a-z0-9]+([-_.][a-z0-9]+)*)?$/;
const MAX_NAME = 255;
const JSON_PAGE = "application/vnd.pypi.simple.v1+json";

/** Normalises names that Python considers equal (PEP 503). */
const normalised = (name: string) => name.replace(/[-_.]+/g, "-");

/** The Python package registry (contract packages.md 9.6). */
export function pypiRoutes(services: Services): Route[] {
  const kit = new RegistryKit("pypi", services);
  const { packages } = services;
  return [
    kit.route({
      method: "POST",
      path: "",
      level: "write",
      handle: async (call, seen) => {
        using upload = await kit.upload(call, { field: "content" });
        const { file, metadata, name, version } = publicationOf(upload);
        return kit.publish(seen, {
          version: { name, version, metadata },
          files: [{ name: file, isLead: true, content: upload.content }],
        });
      },
    }),
    kit.route({
      method: "GET",
      path: "/simple/:name",
      level: "read",
      handle: (call, seen) => {
        const found = packages.find(seen, "pypi", normalised(param(call, "name")));
        const versions = packages.versions(found).toSorted((a, b) => (a.version < b.version ? -1 : 1));
        const files = packages.filesOfEach(versions);
        const links = versions.flatMap((version) => (files.get(version.id) ?? []).map((file) => ({ file, version })));
        return wantsJson(call) ? jsonPage(kit, seen, found.name, links) : htmlPage(kit, seen, found.name, links);
      },
    }),
    kit.route({
      method: "GET",
      path: "/files/:name/:version/:file",
      level: "read",
      handle: (call, seen) => {
        const version = packages.version(seen, "pypi", normalised(param(call, "name")), param(call, "version"));
        return kit.file(call, packages.file(version, param(call, "file")));
      },
    }),
  ];
}

/** @throws BadRequest */
function publicationOf({ content, fields, fileName = "" }: Upload) {
  const field = (wanted: string) => fields.find(([name]) => name === wanted)?.[1] ?? "";
  const name = field("name");
  const version = field("version");
  if (field("sha256_digest").toLowerCase() !== content.sha256) throw new BadRequest("packages.hash-mismatch");
  const isNamed = name.length <= MAX_NAME && NAME.test(name);
  if (!isNamed || version.length > MAX_NAME || !VERSION.test(version.toLowerCase()))
    throw new BadRequest("packages.pypi-invalid");
  if (!/^[^/\\\p{Cc}]{1,255}$/u.test(fileName)) throw new BadRequest("packages.no-file");
  const homepage = fields
    .filter(([key]) => key === "project_urls")
    .map(([, value]) => value.split(/,(.*)/s))
    .find(([label = ""]) => label.replace(/[\p{P}\s]/gu, "").toLowerCase() === "homepage")?.[1];
  const metadata = {
    author: field("author"),
    description: field("description"),
    long_description: field("long_description"),
    summary: field("summary"),
    project_url: urlOf(homepage) || urlOf(field("home_page")),
    license: field("license"),
    requires_python: field("requires_python"),
  };
  return { name: normalised(name), version, file: fileName, metadata };
}

interface Link {
  readonly file: PackageFile;
  readonly version: PackageVersion;
}

const wantsJson = ({ request }: Call) =>
  (request.headers.get("accept") ?? "").split(",")[0]?.trim().startsWith(JSON_PAGE);

function addressOf(kit: RegistryKit, seen: SeenPackages, { file, version }: Link): string {
  const name = version.package.name.toLowerCase();
  return `${kit.urlOf(seen)}/files/${segment(name)}/${segment(version.version)}/${segment(file.name)}`;
}

const requiresOf = (version: PackageVersion) => textOf(metadataOf(version)["requires_python"]);

function htmlPage(kit: RegistryKit, seen: SeenPackages, name: string, links: readonly Link[]): Response {
  const anchors = links.map((link) => {
    const requires = requiresOf(link.version);
    const attribute = requires === "" ? "" : ` data-requires-python="${Bun.escapeHTML(requires)}"`;
    const address = `${addressOf(kit, seen, link)}#sha256=${link.file.sha256}`;
    return `<a href="${Bun.escapeHTML(address)}"${attribute}>${Bun.escapeHTML(link.file.name)}</a><br>\n`;
  });
  const title = `Links for ${Bun.escapeHTML(name)}`;
  const page = `<!DOCTYPE html>\n<html>\n<head>\n<title>${title}</title>\n</head>\n<body>\n<h1>${title}</h1>\n${anchors.join("")}</body>\n</html>\n`;
  return plain(page, 200, { "content-type": "text/html; charset=utf-8", vary: "accept" });
}

/** PEP 691. */
function jsonPage(kit: RegistryKit, seen: SeenPackages, name: string, links: readonly Link[]): Response {
  const files = links.map((link) => ({
    filename: link.file.name,
    url: addressOf(kit, seen, link),
    hashes: { sha256: link.file.sha256 },
    ...compact({ "requires-python": requiresOf(link.version) }),
  }));
  const page = { meta: { "api-version": "1.0" }, name, files };
  return plain(JSON.stringify(page), 200, { "content-type": JSON_PAGE, vary: "accept" });
}

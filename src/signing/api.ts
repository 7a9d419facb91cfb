import { Type } from "@sinclair/typebox";
import type { SigningFormat } from "../git/signing/signer.ts";
import { plain } from "../http/respond.ts";
import type { Access, Route } from "../http/route.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Services } from "../services.ts";

const open: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };
const readable: Access = {
  who: "anyone",
  subject: { kind: "repository", level: "read" },
  scopes: ["repository"],
  publicOnly: "filtered",
};

/**
 * The key that the server signs commits with (contract git-content.md 17), shared by the site and all its
 * repositories.
 */
export function signingRoutes({ signing }: Services): Route[] {
  const key = (path: string, id: string, format: SigningFormat, summary: string, access: Access): Route => ({
    method: "GET",
    path: `/api/v1${path}`,
    surface: "api",
    access,
    doc: {
      id,
      tag: access.subject ? "repository" : "miscellaneous",
      summary,
      answers: {
        200: { description: "The public key.", schema: Type.String(), mediaType: "text/plain" },
        404: { description: "The server does not sign commits, or signs with a key of another format." },
      },
    },
    handle: async () => {
      if (signing.format !== "none" && signing.format !== format)
        throw new NotFound("signing.other-format", { params: { format: signing.format } });
      const text = await signing.publicKey();
      if (text === undefined) throw new NotFound("signing.no-key");
      return plain(text);
    },
  });
  const repo = "/repos/:owner/:repo";
  const ofRepo = "that signs the commits of a repository";
  return [
    key("/signing-key.gpg", "getSigningKey", "openpgp", "Get the OpenPGP key that the server signs commits with", open),
    key("/signing-key.pub", "getSigningKeySSH", "ssh", "Get the SSH key that the server signs commits with", open),
    key(`${repo}/signing-key.gpg`, "repoSigningKey", "openpgp", `Get the OpenPGP key ${ofRepo}`, readable),
    key(`${repo}/signing-key.pub`, "repoSigningKeySSH", "ssh", `Get the SSH key ${ofRepo}`, readable),
  ];
}

/** Where workflows are looked for: in the first of these folders that is there (contract actions.md 2.1). */
export const workflowFolders = [".forgejo/workflows", ".gitea/workflows", ".github/workflows"] as const;

export const isWorkflowName = (name: string): boolean => /\.ya?ml$/.test(name);

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.PullResult;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.PushResult;
import org.eclipse.jgit.transport.RemoteRefUpdate;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;

/** JGit as a client: clone URL DIR | fetch URL DIR | push URL DIR PATH. */
public class Client {
  public static void main(String[] args) throws Exception {
    File dir = new File(args[2]);
    String[] person = new URI(args[1]).getUserInfo().split(":");
    CredentialsProvider credentials = new UsernamePasswordCredentialsProvider(person[0], person[1]);
    if (args[0].equals("clone")) {
      Git.cloneRepository().setURI(args[1]).setDirectory(dir).setCredentialsProvider(credentials).call().close();
      return;
    }
    try (Git git = Git.open(dir)) {
      if (args[0].equals("fetch")) {
        PullResult result = git.pull().setCredentialsProvider(credentials).call();
        if (!result.isSuccessful()) throw new IllegalStateException(result.toString());
        return;
      }
      Files.writeString(Path.of(args[2], args[3]), "by JGit\n");
      git.add().addFilepattern(args[3]).call();
      git.commit().setAuthor("Java", "java@example.org").setCommitter("Java", "java@example.org")
          .setMessage("by JGit\n").setSign(false).call();
      for (PushResult result : git.push().setCredentialsProvider(credentials).call())
        for (RemoteRefUpdate update : result.getRemoteUpdates())
          if (update.getStatus() != RemoteRefUpdate.Status.OK) throw new IllegalStateException(update.toString());
    }
  }
}

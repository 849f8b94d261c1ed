from trellis import Transform


class DeviceFacts(Transform):
    query = "device_configuration"
    timeout = 10

    def transform(self, data):
        device = data["InfraDevice"]["edges"][0]["node"]
        ports = [edge["node"] for edge in device["interfaces"]["edges"]]
        return {
            "host": device["fqdn"]["value"],
            "site": device["site"]["node"]["name"]["value"],
            "ports": {port["name"]["value"]: port["enabled"]["value"] for port in ports},
        }
